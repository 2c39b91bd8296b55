// Records a team, shows it on a page meanwhile, and replays the recording: under the same options, and under others.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { observe, readRecordings } from '@teamfuse/cli';
import { watch } from '@teamfuse/cli/watch';
import { Breaker } from '@teamfuse/core';
import { recordTo } from '@teamfuse/recorder';

const folder = mkdtempSync(join(tmpdir(), 'teamfuse-recorded-'));
const file = join(folder, 'run.jsonl');

const breaker = new Breaker();
const recorder = recordTo(breaker, file);
const page = await watch(breaker);
console.log(`while it runs, it can be seen at ${page.url}`);

const begin = ['Sales rose by 12 percent in May.', 'Which branch sold least, and why?'];
for (let turn = 0; breaker.conversation().trip === undefined; turn++) {
  const agent = turn % 2 === 0 ? 'writer' : 'critic';
  const text = begin[turn] ?? 'Thank you, that is a very good report. Please go on.';
  breaker.observe({ kind: 'message', at: turn * 1000, agent, text });
}
await page.close();
await recorder.close();

async function replay(options) {
  const again = new Breaker(options);
  const broken = (line, problem) => assert.fail(`${line}: ${problem}`);
  for await (const { signals } of readRecordings(file, { broken })) {
    for (const signal of signals) observe(again, signal);
  }
  return again.conversation().trip?.kind;
}

const live = breaker.conversation().trip.kind;
const [same, other] = [await replay({}), await replay({ maxMessages: 4 })];
rmSync(folder, { recursive: true });
const line = `live: ${live}; replayed: ${same}; with maxMessages=4: ${other}`;
console.log(line);
assert.equal(line, 'live: speaker-cycle; replayed: speaker-cycle; with maxMessages=4: limit');
