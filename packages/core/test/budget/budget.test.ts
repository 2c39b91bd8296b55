import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatUsd, plus, toNanoUsd, usdFormat } from '../../src/budget/amount.ts';
import {
  Breaker,
  type BudgetStore,
  InvalidOptionError,
  MemoryBudgetStore,
} from '../../src/index.ts';
import { message, modelRequest, usage } from '../support/signals.ts';

describe('budget', () => {
  it('[BUD1] lets calls pass up to the limit to the nano-dollar, and trips beyond it', () => {
    const breaker = new Breaker({ budget: { maxUsd: 0.3 } });
    for (let i = 0; i < 3; i++) expect(breaker.observe(usage({ costUsd: 0.1 }))).toBeUndefined();
    const trip = breaker.observe(usage({ costUsd: 0.000_000_001 }));
    expect(trip).toMatchObject({
      kind: 'budget',
      evidence: { count: 300_000_001, limit: 300_000_000 },
    });
  });

  it('[BUD1] lets calls pass up to the last token', () => {
    const breaker = new Breaker({ budget: { maxTokens: 30 } });
    for (let i = 0; i < 2; i++) expect(breaker.observe(usage())).toBeUndefined();
    const trip = breaker.observe(usage({ inputTokens: 1, outputTokens: 0 }));
    expect(trip).toMatchObject({ kind: 'budget', evidence: { count: 31, limit: 30 } });
  });

  it('[BUD2] refuses the call that does not fit beside those under way', async () => {
    const breaker = new Breaker({ budget: { maxUsd: 10, spentUsd: 9.9 } });
    const answers = [];
    for (const requestId of ['r0', 'r1', 'r2']) {
      answers.push(await breaker.admit(modelRequest({ requestId, estimatedCostUsd: 0.04 })));
    }
    expect(answers.map(({ isAdmitted }) => isAdmitted)).toEqual([true, true, false]);
    expect(breaker.conversation().trip?.reason).toContain('would exceed the budget');
  });

  it('[BUD3] lets go of a reservation when its call settles', async () => {
    const breaker = new Breaker({ budget: { maxUsd: 1 } });
    for (let i = 0; i < 20; i++) {
      const requestId = `r${i}`;
      const request = modelRequest({ requestId, estimatedCostUsd: 0.9 });
      expect((await breaker.admit(request)).isAdmitted).toBe(true);
      breaker.observe(usage({ requestId, costUsd: 0.004 }));
    }
    expect(breaker.cost.nanoUsd).toBe(80_000_000);
  });

  it('[BUD3] lets go of a reservation when its call fails', async () => {
    const breaker = new Breaker({ budget: { maxTokens: 100 } });
    const request = modelRequest({ requestId: 'r', inputTokens: 60, maxOutputTokens: 40 });
    await breaker.admit(request);
    const failed = { inputTokens: 0, outputTokens: 0, costUsd: 0, error: { message: 'down' } };
    breaker.observe(usage({ requestId: 'r', ...failed }));
    expect((await breaker.admit(request)).isAdmitted).toBe(true);
  });

  it('[BUD4] counts tokens of input and output', () => {
    const breaker = new Breaker({ budget: { maxTokens: 29 } });
    expect(breaker.observe(usage())).toBeUndefined();
    expect(breaker.observe(usage())).toMatchObject({ kind: 'budget', evidence: { count: 30 } });
  });

  it('[BUD5] trips on a call whose price nobody knows when only dollars are limited', () => {
    const breaker = new Breaker({ budget: { maxUsd: 5 } });
    expect(breaker.observe(usage({ costUsd: null }))?.reason).toContain(
      "price of model 'm' is unknown",
    );
  });

  it('[BUD5] counts a call whose price nobody knows in tokens when tokens are limited too', () => {
    const breaker = new Breaker({ budget: { maxUsd: 5, maxTokens: 20 } });
    expect(breaker.observe(usage({ costUsd: null }))).toBeUndefined();
    expect(breaker.cost.unpricedTokens).toBe(15);
    expect(breaker.observe(usage({ costUsd: null }))?.kind).toBe('budget');
  });

  it('[BUD6] estimates a call that reports no usage from what has been said', () => {
    const breaker = new Breaker({ budget: { maxTokens: 1000 } });
    const zero = usage({ inputTokens: 0, outputTokens: 0, costUsd: 0 });
    breaker.observe(message('writer', 'word '.repeat(600)));
    expect(breaker.observe(zero)).toBeUndefined();
    expect(breaker.cost).toMatchObject({ tokens: 750, isEstimate: true });
    expect(breaker.observe(zero)?.kind).toBe('budget');
  });

  it('[BUD7] books money that is tracked by hand', async () => {
    const breaker = new Breaker({ budget: { maxUsd: 1 } });
    expect(await breaker.trackCost(0.9, 'painter')).toBeUndefined();
    expect(await breaker.trackCost(0.2, 'painter')).toMatchObject({
      kind: 'budget',
      agents: ['painter'],
    });
  });

  it('[BUD7] books of a running total what was not spent yet, once', async () => {
    const breaker = new Breaker();
    breaker.observe(usage({ costUsd: 0.5 }));
    await breaker.trackCost({ totalUsd: 0.5 });
    expect(breaker.cost.nanoUsd).toBe(500_000_000);
    for (const _ of [1, 2]) await breaker.trackCost({ totalUsd: 0.75 });
    expect(breaker.cost.nanoUsd).toBe(750_000_000);
    await breaker.trackCost({ totalUsd: 0.1 });
    expect(breaker.cost.nanoUsd).toBe(750_000_000);
    expect(() => breaker.trackCost({ totalUsd: null as never })).toThrow("'totalUsd'");
    expect(() => breaker.trackCost(null as never)).toThrow("'usd'");
  });

  it('[BUD8] stays tripped however long it waits', async () => {
    let now = 0;
    const breaker = new Breaker({ budget: { maxUsd: 1 }, now: () => now });
    breaker.observe(usage({ costUsd: 2 }));
    now = 1e9;
    expect((await breaker.admit({ kind: 'turn', agent: 'writer', at: now })).isAdmitted).toBe(
      false,
    );
  });

  it('[BUD9] waits for a store that answers later', async () => {
    const memory = new MemoryBudgetStore();
    const store: BudgetStore = {
      reserve: async (...args) => memory.reserve(...args),
      settle: async (...args) => memory.settle(...args),
      totals: async () => memory.totals(),
    };
    const breaker = new Breaker({ budget: { maxUsd: 0.05, store } });
    const ask = (requestId: string) =>
      breaker.admit(modelRequest({ requestId, estimatedCostUsd: 0.04 }));
    const answers = await Promise.all([ask('a'), ask('b')]);
    expect(answers.map(({ isAdmitted }) => isAdmitted)).toEqual([true, false]);
  });

  it('[BUD9] says so when the store fails, and refuses the call', async () => {
    const store: BudgetStore = {
      reserve: () => Promise.reject(new Error('store is down')),
      settle: () => Promise.reject(new Error('store is down')),
      totals: () => Promise.reject(new Error('store is down')),
    };
    const breaker = new Breaker({ budget: { maxUsd: 1, store } });
    await expect(breaker.admit(modelRequest())).rejects.toThrow('store is down');
    const told = new Promise((resolve) => breaker.on('error', resolve));
    breaker.observe(usage());
    expect(await told).toMatchObject({ during: 'store' });
  });

  it.each([
    [{ maxUsd: -1 }, 'budget.maxUsd'],
    [{ maxUsd: Number.POSITIVE_INFINITY }, 'budget.maxUsd'],
    [{ maxTokens: 1.5 }, 'budget.maxTokens'],
    [{ maxTokens: -1 }, 'budget.maxTokens'],
    [{ maxUsd: 9_000_001 }, 'budget.maxUsd'],
    [{ spentUsd: Number.NaN }, 'budget.spentUsd'],
    [{ spentUsd: -1 }, 'budget.spentUsd'],
    [{ spentUsd: 9_000_001 }, 'budget.spentUsd'],
  ])('[BUD10] refuses %j and names the option', (budget, option) => {
    expect(() => new Breaker({ budget })).toThrow(
      expect.objectContaining({ name: InvalidOptionError.name, option }),
    );
  });

  it('[BUD10] takes limits of 0: every call is refused then', () => {
    for (const budget of [{ maxUsd: 0 }, { maxTokens: 0 }]) {
      expect(new Breaker({ budget }).admit(modelRequest())).toMatchObject({ isAdmitted: false });
    }
  });

  it('[BUD1] never grants more than the limit, whatever is reserved and settled in any order', () => {
    const step = fc.oneof(
      fc.record({ op: fc.constant('reserve'), id: fc.nat(4), tokens: fc.nat(50) }),
      fc.record({ op: fc.constant('settle'), id: fc.nat(4), tokens: fc.nat(50) }),
    );
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const store = new MemoryBudgetStore();
        const limits = { tokens: 100 };
        const held = new Map<string, number>();
        for (const { op, id, tokens } of steps) {
          const key = String(id);
          if (op === 'reserve') {
            const { isGranted } = store.reserve(key, { nanoUsd: 0, tokens }, limits);
            if (isGranted) held.set(key, tokens);
            const { spent, reserved } = store.totals();
            if (isGranted) expect(spent.tokens + reserved.tokens).toBeLessThanOrEqual(100);
          } else if (held.has(key)) {
            store.settle(key, { nanoUsd: 0, tokens: Math.min(tokens, held.get(key) as number) });
            held.delete(key);
          }
          const sum = [...held.values()].reduce((a, b) => a + b, 0);
          expect(store.totals().reserved.tokens).toBe(sum);
        }
        expect(store.totals().spent.tokens).toBeLessThanOrEqual(100);
      }),
    );
  });
});

describe('amounts', () => {
  it('[BUD11] turns dollars into whole nano-dollars without drift', () => {
    fc.assert(
      fc.property(fc.nat(1_000_000_000), (nano) => {
        expect(toNanoUsd(nano / 1e9)).toBe(nano);
      }),
    );
  });

  it('[BUD11] rounds what is finer than a nano-dollar up, so that nothing is for free', () => {
    expect(toNanoUsd(1e-10)).toBe(1);
  });

  it('[BUD11] takes what is below nothing for nothing, and more than an integer holds for the largest', () => {
    expect(toNanoUsd(-1)).toBe(0);
    expect(toNanoUsd(9_007_199.5)).toBe(Number.MAX_SAFE_INTEGER);
    expect(plus(Number.MAX_SAFE_INTEGER - 1, 2)).toBe(Number.MAX_SAFE_INTEGER);
  });

  it.each([
    [0, '$0.00'],
    [430_000_000, '$0.43'],
    [12_000, '$0.000012'],
    [9_990_000, '$0.010'],
    [10_000_000, '$0.01'],
    [1_234_567_890, '$1.23'],
  ])('[BUD12] shows %i nano-dollars as %s', (nano, shown) => {
    expect(formatUsd(nano)).toBe(shown);
  });

  it('[BUD12] says what is spent in other digits than the limit', () => {
    const breaker = new Breaker({ budget: { maxUsd: 0.01 } });
    breaker.trackCost(0.0104);
    expect(breaker.conversation().trip?.reason).toContain(
      'the budget of $0.0100 is used up: $0.0104 spent',
    );
  });

  it.each([
    [30_000_000, [40_000_000], ['$0.03', '$0.04']],
    [30_000_000, [30_100_000], ['$0.0300', '$0.0301']],
    [10_000_000, [10_000_000], ['$0.01', '$0.01']],
    [30_000_000, [20_000_000, 10_400_000], ['$0.0300', '$0.0200', '$0.0104']],
    [6_000_000_000, [6_000_000_001], ['$6.000000000', '$6.000000001']],
  ])('[BUD12] shows of %i nano-dollars and %j which is more', (whole, parts, shown) => {
    expect([whole, ...parts].map(usdFormat(whole, ...parts))).toEqual(shown);
  });
});
