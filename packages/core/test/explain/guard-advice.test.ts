import { describe, expect, it } from 'vitest';
import { explain, type FunctionGuardOptions, guard, type Trip } from '../../src/index.ts';

/** What is said of the first call that a guard refuses. */
function explained(options: FunctionGuardOptions): string {
  const trips: Trip[] = [];
  const call = guard(() => 'same', {
    ...options,
    onTrip: (trip) => {
      trips.push(trip);
      return 'continue';
    },
  });
  for (let i = 0; i < 4; i++) call();
  return explain(JSON.parse(JSON.stringify(trips[0])));
}

describe('the advice on a trip of guard()', () => {
  it.each<[string, FunctionGuardOptions, string]>([
    ['a loop', {}, 'raise loop.repeats (3)'],
    ['a budget', { budget: { maxUsd: 1 }, estimate: () => 0.6 }, 'onTrip: () => ({ raiseTo'],
    [
      'a context window',
      { context: { maxContextTokens: 5 }, tokens: () => 9 },
      'correct context.maxContextTokens',
    ],
  ])('[EXP6] names its own options, and none of a breaker: %s', (_, options, advice) => {
    const text = explained(options);
    expect(text).toContain(advice);
    expect(text).not.toMatch(/breaker|repetition\.|contextWindow/);
  });
});
