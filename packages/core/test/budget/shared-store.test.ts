import { describe, expect, it } from 'vitest';
import { Breaker, type BudgetStore, MemoryBudgetStore } from '../../src/index.ts';
import { message, modelRequest, turn, usage } from '../support/signals.ts';

/** Books that answer a tick later. */
function slow(memory: MemoryBudgetStore): BudgetStore {
  return {
    reserve: async (...args) => memory.reserve(...args),
    settle: async (...args) => memory.settle(...args),
    totals: async () => memory.totals(),
  };
}

function failing(fail: () => never): BudgetStore {
  return { reserve: fail, settle: fail, totals: fail };
}

describe('a store that is shared', () => {
  it('[BUD2] refuses every call that does not fit, not only the one that trips', async () => {
    const breaker = new Breaker({
      budget: { maxTokens: 10, store: slow(new MemoryBudgetStore()) },
    });
    const ids = ['a', 'b', 'c', 'd'];
    const answers = await Promise.all(
      ids.map((requestId) => breaker.admit(modelRequest({ requestId, inputTokens: 10 }))),
    );
    expect(answers.map(({ isAdmitted }) => isAdmitted)).toEqual([true, false, false, false]);
  });

  it('[BRK20] refuses a call whose circuit opened while the store was asked, and lets its budget go', async () => {
    const memory = new MemoryBudgetStore();
    const breaker = new Breaker({ budget: { maxTokens: 10, store: slow(memory) } });
    const answer = breaker.admit(modelRequest({ inputTokens: 10 }));
    breaker.stop('enough');
    expect(await answer).toMatchObject({ isAdmitted: false, trip: { reason: 'enough' } });
    await Promise.resolve();
    expect(memory.totals().reserved.tokens).toBe(0);
  });

  it('[BUD9][CIR15] gives a probe up when the store fails that its call depends on', async () => {
    let now = 0;
    const store = failing(() => {
      throw new Error('store is down');
    });
    const options = { budget: { maxUsd: 1, store }, contextWindow: { maxContextTokens: 5 } };
    const breaker = new Breaker({ now: () => now, cooldownMs: 10, ...options });
    breaker.admit(modelRequest({ inputTokens: 6 }));
    now = 10;
    const probe = breaker.admit(modelRequest({ at: now, inputTokens: 1 }));
    await expect(probe).rejects.toThrow('store is down');
    expect(breaker.conversation().state).toMatchObject({ status: 'open', openings: 1 });
    now = 20;
    expect(await breaker.admit(turn('writer', now))).toMatchObject({ isAdmitted: true });
  });

  it('[BUD9] tells a store that throws at once as an error, and observes on', () => {
    const store = failing(() => {
      throw new Error('store is down');
    });
    const breaker = new Breaker({ maxMessages: 1, budget: { maxUsd: 1, store } });
    expect(breaker.observe(usage())).toBeUndefined();
    expect(breaker.observe(message('a', 'one'))?.kind).toBe('limit');
  });

  it('[BUD9] tells it as an error when money tracked by hand cannot be booked', async () => {
    const store = failing(() => {
      throw new Error('store is down');
    });
    const breaker = new Breaker({ budget: { maxUsd: 1, store } });
    const errors: unknown[] = [];
    breaker.on('error', ({ during }) => errors.push(during));
    expect(await breaker.trackCost(0.5)).toBeUndefined();
    expect(errors).toEqual(['store']);
  });

  it('[SNP3] keeps its books when one of its breakers is restored', () => {
    const store = new MemoryBudgetStore();
    const [one, other] = [0, 1].map(() => new Breaker({ budget: { maxTokens: 100, store } }));
    const snapshot = one?.snapshot();
    other?.observe(usage());
    one?.restore(snapshot);
    expect(store.totals().spent.tokens).toBe(15);
  });
});

describe('a window that only warns', () => {
  it('[BUD2] does not keep the budget from being asked', () => {
    const breaker = new Breaker({
      reaction: { 'context-window': 'warn' },
      contextWindow: { maxContextTokens: 5 },
      budget: { maxTokens: 10 },
    });
    expect(breaker.admit(modelRequest({ inputTokens: 11 }))).toMatchObject({
      isAdmitted: false,
      trip: { kind: 'budget' },
    });
  });
});
