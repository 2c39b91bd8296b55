import { expect, it } from 'vitest';
import { Breaker } from '../../src/index.ts';
import { generateSignals } from '../../src/testing/index.ts';

/** A million takes minutes: `ENDLESS_SIGNALS=1000000` asks for it. */
const COUNT = Number(process.env.ENDLESS_SIGNALS ?? 10_000);
const ROUND = 1000;
const MAX_SNAPSHOT = 2_500_000;

it('[BRK30] takes any number of odd signals without an error, and stays bounded', () => {
  const breaker = new Breaker({ now: () => 0, reaction: 'observe' });
  const errors: unknown[] = [];
  breaker.on('error', (error) => errors.push(error));
  for (let round = 0; round < COUNT / ROUND; round++) {
    for (const signal of generateSignals(round, ROUND)) breaker.observe(signal);
  }
  expect(errors).toEqual([]);
  expect(JSON.stringify(breaker.snapshot()).length).toBeLessThan(MAX_SNAPSHOT);
});
