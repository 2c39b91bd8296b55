import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { observe, readRecordings } from '@teamfuse/cli';
import { Breaker } from '@teamfuse/core';
import { describe, expect, it } from 'vitest';

const FOLDER = fileURLToPath(new URL('../fixtures/field/', import.meta.url));
const CASES = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.gz'))
  .map((file) => [file.replace(/\.jsonl?\.gz$/, ''), file] as const);
/** Each of their calls carries an id out of the result before, so that nothing comes again. */
const FOR_A_JUDGE = CASES.filter(([name]) => /^oauth-.*loop$/.test(name));
const LOOPS = CASES.filter((one) => one[0].endsWith('-loop') && !FOR_A_JUDGE.includes(one));
const HEALTHY = CASES.filter(([name]) => !name.endsWith('-loop'));

function fail(error: unknown): never {
  throw error;
}

/** Why a recording is stopped by default, if it is. */
async function reasonOf(file: string): Promise<string | undefined> {
  let at = 0;
  const breaker = new Breaker({ now: () => at });
  const broken: string[] = [];
  let count = 0;
  const options = { broken: (line: unknown) => broken.push(JSON.stringify(line)) };
  for await (const { signals } of readRecordings(`${FOLDER}${file}`, options)) {
    for (const signal of signals) {
      at = signal.at;
      observe(breaker, signal, fail);
      count++;
    }
  }
  expect(broken).toEqual([]);
  expect(count).toBeGreaterThan(0);
  return breaker.conversation().trip?.reason;
}

describe('what was reported from the field', () => {
  it.each(LOOPS)('[EVAL18] stops %s', async (_, file) => {
    expect(await reasonOf(file)).toBeDefined();
  });

  it.each(FOR_A_JUDGE)('[EVAL18] leaves %s to a judge', async (_, file) => {
    expect(await reasonOf(file)).toBeUndefined();
  });

  it.each(HEALTHY)('[EVAL18] leaves %s alone', async (_, file) => {
    expect(await reasonOf(file)).toBeUndefined();
  });
});
