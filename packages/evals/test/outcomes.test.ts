import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, it } from 'vitest';
import { evalOutcomes } from '../src/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'teamfuse-outcomes-'));

afterAll(() => {
  rmSync(folder, { recursive: true });
});

function run(id: string, outcome: string, texts: readonly string[]): object {
  const turns = texts.map((content, i) => ({ speaker: i === 0 ? 'human' : 'agent', content }));
  return { id, outcome, turns };
}

it('[EVAL9] counts the successes and failures that are stopped, and what that saves', async () => {
  const healthy = ['Add them up.', 'The total is 42.', 'It is 42 euros for 6 items.', 'Done.'];
  const looping = ['Add them up.', ...Array.from({ length: 9 }, () => 'Let me look into that.')];
  const runs = [
    run('a', 'success', healthy),
    run('b', 'success', looping),
    run('c', 'fail', looping),
    run('d', 'unknown', looping),
  ];
  const lines = runs.map((one) => JSON.stringify(one)).join('\n');
  writeFileSync(join(folder, 'talks.jsonl.gz'), gzipSync(lines));
  const [ours] = JSON.parse(await evalOutcomes(folder, true));
  expect(ours).toEqual({
    source: 'talks',
    policy: 'teamfuse',
    successes: {
      runs: 2,
      stopped: 1,
      savedTurns: expect.any(Number),
      savedTokens: expect.any(Number),
    },
    failures: { runs: 1, stopped: 1, savedTurns: 0.6, savedTokens: expect.any(Number) },
  });
});
