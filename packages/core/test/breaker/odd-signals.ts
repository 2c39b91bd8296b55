import { generateSignals } from '@teamfuse/testing';
import { expect } from 'vitest';
import { Breaker } from '../../src/index.ts';

const ROUND = 1000;
const MAX_SNAPSHOT = 2_500_000;

/** Feeds a breaker with so many odd signals. */
export function takeOddSignals(count: number): void {
  const breaker = new Breaker({ now: () => 0, reaction: 'observe' });
  const errors: unknown[] = [];
  breaker.on('error', (error) => errors.push(error));
  for (let round = 0; round < count / ROUND; round++) {
    for (const signal of generateSignals(round, ROUND)) breaker.observe(signal);
  }
  expect(errors).toEqual([]);
  expect(JSON.stringify(breaker.snapshot()).length).toBeLessThan(MAX_SNAPSHOT);
}
