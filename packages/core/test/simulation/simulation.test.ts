import { env } from 'node:process';
import { describe, expect, it } from 'vitest';
import { type Amount, type BudgetLimits, MemoryBudgetStore } from '../../src/index.ts';
import { simulate } from './simulation.ts';

/** `SIMULATED_STEPS=100000000 npx vitest run packages/core/test/simulation` takes longer, and goes further. */
const STEPS = Number(env.SIMULATED_STEPS ?? 1_000_000);
const STEPS_OF_A_SEED = 20_000;

class ForgetsReservations extends MemoryBudgetStore {
  override reserve(id: string, amount: Amount, limits: BudgetLimits) {
    const result = super.reserve(id, amount, limits);
    if (id.endsWith('7')) super.settle(id, { nanoUsd: 0, tokens: 0 });
    return result;
  }
}

class SettlesTwice extends MemoryBudgetStore {
  override settle(id: string | undefined, actual: Amount) {
    if (id?.endsWith('13')) super.settle(undefined, actual);
    return super.settle(id, actual);
  }
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
    const store = (now: () => number) =>
      new SettlesTwice(undefined, { reservationMs: 60_000, now });
    const plan = { seed: 7, steps: STEPS_OF_A_SEED, store };
    expect(simulate(plan)).toMatch(/^seed 7, step \d+: \d+ spent instead of \d+$/);
    expect(simulate(plan)).toBe(simulate(plan));
  });

  it.each([
    [
      'a store that forgets reservations',
      {
        store: (now: () => number) =>
          new ForgetsReservations(undefined, { reservationMs: 60_000, now }),
      },
    ],
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
  ])('[BUD19] would find %s', (_, fault) => {
    expect(simulate({ seed: 1, steps: STEPS_OF_A_SEED, ...fault })).toMatch(/^seed 1, step \d+: /);
  });
});
