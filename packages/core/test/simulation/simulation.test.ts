import { env } from 'node:process';
import { describe, expect, it } from 'vitest';
import { type BudgetStore, MemoryBudgetStore } from '../../src/index.ts';
import type { Amount, BudgetLimits, Purse } from '../../src/kit.ts';
import { simulate } from './simulation.ts';

/** `SIMULATED_STEPS=100000000 npx vitest run packages/core/test/simulation` takes longer, and goes further. */
const STEPS = Number(env.SIMULATED_STEPS ?? 1_000_000);
const STEPS_OF_A_SEED = 20_000;

type Faulty = new (...args: ConstructorParameters<typeof MemoryBudgetStore>) => BudgetStore;

class SettlesTwice extends MemoryBudgetStore {
  #settled = 0;

  override settle(id: string | undefined, actual: Amount, purses?: readonly string[]) {
    if (++this.#settled % 13 === 0) super.settle(undefined, actual, purses);
    return super.settle(id, actual, purses);
  }
}

class ForgetsToRelease extends MemoryBudgetStore {
  #settled = 0;

  override settle(id: string | undefined, actual: Amount, purses?: readonly string[]) {
    return super.settle(++this.#settled % 7 === 0 ? undefined : id, actual, purses);
  }
}

/** Looks at the books, and holds later: what others have reserved meanwhile it has not seen. */
class ChecksBefore extends MemoryBudgetStore {
  override reserve(id: string, amount: Amount, limits: BudgetLimits, purses?: readonly Purse[]) {
    const { spent } = this.totals();
    const fits = spent.tokens + amount.tokens <= (limits.tokens ?? 0);
    return super.reserve(id, amount, fits ? {} : limits, purses);
  }
}

/** Keeps the whole budget, and holds nothing in the purses. */
class SkipsPurses extends MemoryBudgetStore {
  override reserve(
    id: string,
    amount: Amount,
    limits: BudgetLimits,
    purses: readonly Purse[] = [],
  ) {
    const { isGranted } = super.reserve(id, amount, limits);
    return { isGranted, totals: this.totals(purses.map(({ name }) => name)) };
  }
}

/** Holds in the whole budget before a purse refuses, and does not take that back. */
class HoldsInSome extends MemoryBudgetStore {
  override reserve(id: string, amount: Amount, limits: BudgetLimits, purses?: readonly Purse[]) {
    const result = super.reserve(id, amount, limits, purses);
    if (!result.isGranted) super.reserve(id, amount, limits);
    return result;
  }
}

function with60s(Store: Faulty) {
  return (now: () => number) => new Store(undefined, { reservationMs: 60_000, now });
}

describe('fifty callers on one breaker and one budget', () => {
  it(`[BUD19] keep the books and the circuit right, in ${STEPS.toLocaleString('en')} steps`, () => {
    const violations: string[] = [];
    for (let seed = 1; seed <= Math.ceil(STEPS / STEPS_OF_A_SEED); seed++) {
      const violation = simulate({ seed, steps: STEPS_OF_A_SEED });
      if (violation !== undefined) violations.push(violation);
    }
    expect(violations).toEqual([]);
  });

  it('[BUD19] gives the same run for the same seed', () => {
    const store = with60s(SettlesTwice);
    const plan = { seed: 7, steps: STEPS_OF_A_SEED, store };
    expect(simulate(plan)).toMatch(/^seed 7, step \d+: \d+ spent instead of \d+$/);
    expect(simulate(plan)).toBe(simulate(plan));
  });

  it.each([
    ['a settlement that is booked twice', { store: with60s(SettlesTwice) }],
    ['a settlement that forgets to release', { store: with60s(ForgetsToRelease) }],
    ['a store that checks before it holds', { store: with60s(ChecksBefore) }],
    ['a store that keeps no purses', { store: with60s(SkipsPurses) }],
    ['a store that holds in some purses only', { store: with60s(HoldsInSome) }],
    [
      'a store that never releases what was abandoned',
      {
        store: (now: () => number) => new MemoryBudgetStore(undefined, { reservationMs: 1e9, now }),
      },
    ],
    [
      'a gate that lets steps through an open circuit',
      {
        admits: (is: boolean, { state }: { state: { status: string } }) =>
          is || state.status === 'open',
      },
    ],
    [
      'a second probe beside the first',
      {
        admits: (is: boolean, { state }: { state: { status: string } }) =>
          is || state.status === 'half-open',
      },
    ],
  ])('[BUD19] would find %s', (_, fault) => {
    expect(simulate({ seed: 1, steps: STEPS_OF_A_SEED, ...fault })).toMatch(/^seed 1, step \d+: /);
  });
});
