import { setImmediate as turn } from 'node:timers/promises';
import { Breaker, type BudgetStore, MemoryBudgetStore } from '@teamfuse/core';
import { expect, it } from 'vitest';
import { pursesOf } from '../../src/watch/purses.ts';

/** A store that answers later, and how often it was asked. */
function laterStore() {
  const memory = new MemoryBudgetStore();
  const state = { isAway: false, questions: 0 };
  const later = async <T>(answer: () => T): Promise<T> => {
    if (state.isAway) throw new Error('no answer');
    return answer();
  };
  const store: BudgetStore = {
    reserve: (...asked) => later(() => memory.reserve(...asked)),
    settle: (...asked) => later(() => memory.settle(...asked)),
    totals: (...asked) => {
      state.questions++;
      return later(() => memory.totals(...asked));
    },
  };
  return { store, state };
}

it('[WAT14] shows what a store that answers later has last said, also while it is away', async () => {
  const { store, state } = laterStore();
  const breaker = new Breaker({ budget: { maxUsd: 6, store } });
  const conversation = breaker.conversation('a');
  breaker.trackCost(2);
  await turn();
  expect(pursesOf(breaker, conversation)).toEqual([]);
  expect(pursesOf(breaker, conversation)).toEqual([]);
  expect(state.questions).toBe(1);
  await turn();
  const purse = { owner: 'all', unit: 'nanoUsd', spent: 2e9, most: 6e9 };
  state.isAway = true;
  expect(pursesOf(breaker, conversation)).toEqual([purse]);
  await turn();
  expect(pursesOf(breaker, conversation)).toEqual([purse]);
});
