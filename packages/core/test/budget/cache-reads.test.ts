import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  Breaker,
  type BreakerOptions,
  type BudgetOptions,
  explain,
  MemoryBudgetStore,
  type PriceBook,
  type Trip,
} from '../../src/index.ts';
import type { UsageSignal } from '../../src/kit.ts';
import { modelRequest, usage } from '../support/signals.ts';
import { warningsOf } from '../support/warnings.ts';

const PRICES = {
  m: { inputUsdPerMillion: 2, outputUsdPerMillion: 8, cachedInputUsdPerMillion: 0.2 },
  'no-cache': { inputUsdPerMillion: 2, outputUsdPerMillion: 8 },
  free: { inputUsdPerMillion: 0, outputUsdPerMillion: 0, cachedInputUsdPerMillion: 0 },
  dear: { inputUsdPerMillion: 2, outputUsdPerMillion: 8, cachedInputUsdPerMillion: 3 },
};
const CACHED = { inputTokens: 1000, outputTokens: 50, cachedInputTokens: 900, costUsd: null };
/** 100 plain tokens, a tenth of 900 cached ones, and the answer. */
const COUNTED = 240;

/** A breaker that counts what was read from a cache by its price. */
function byPrice(budget: BudgetOptions = { maxTokens: 1e9 }, options: BreakerOptions = {}) {
  const store = new MemoryBudgetStore();
  const limits = { cacheReads: 'by-price', ...budget, store } as const;
  const breaker = new Breaker({ prices: PRICES, ...options, budget: limits });
  return { breaker, store, booked: () => store.totals().spent.tokens };
}

/** The tokens that a call counts. */
function countedOf(fields: Partial<UsageSignal>, options?: BreakerOptions): number {
  const { breaker, booked } = byPrice({ maxTokens: 1e9 }, options);
  breaker.observe(usage({ ...CACHED, ...fields }));
  return booked();
}

describe('tokens that were read from a cache', () => {
  it('[BUD29] count in full by default', () => {
    const store = new MemoryBudgetStore();
    for (const option of [{}, { cacheReads: 'full' } as const]) {
      const breaker = new Breaker({ prices: PRICES, budget: { ...option, maxTokens: 1e9, store } });
      breaker.observe(usage(CACHED));
    }
    expect(store.totals().spent.tokens).toBe(2100);
  });

  it('[BUD29] count by their price against that of plain ones, rounded up', () => {
    expect(countedOf({})).toBe(COUNTED);
    expect(countedOf({ cachedInputTokens: 1000 })).toBe(150);
    expect(countedOf({ cachedInputTokens: 901 })).toBe(99 + 91 + 50);
    expect(countedOf({ cachedInputTokens: 0 })).toBe(1050);
  });

  it('[BUD29] count by the public prices where there are no others', () => {
    expect(countedOf({ model: 'claude-sonnet-4-5' })).toBe(COUNTED);
    expect(countedOf({ model: 'gpt-4o' })).toBe(100 + 450 + 50);
    expect(countedOf({ model: 'deployment-7' }, { models: 'gpt-4o' })).toBe(100 + 450 + 50);
    expect(countedOf({ model: 'gpt-4o', responseModel: 'm' })).toBe(COUNTED);
  });

  it('[BUD29] count by the prices of a prompt of this length', () => {
    const long = { inputTokens: 400_000, cachedInputTokens: 300_000, outputTokens: 0 };
    const prices = {
      price: (_: string, { inputTokens, cachedInputTokens = 0 }: typeof long) => {
        const [plain, read] = inputTokens > 200_000 ? [6, 1.2] : [3, 0.3];
        return { nanoUsd: plain * (inputTokens - cachedInputTokens) + read * cachedInputTokens };
      },
    };
    expect(countedOf(long, { prices } as BreakerOptions)).toBe(160_000);
  });

  it.each<[string, Partial<UsageSignal>, PriceBook?]>([
    ['of a model without a price', { model: 'unknown' }],
    ['of one without a price for caches', { model: 'no-cache' }],
    ['of one that is free', { model: 'free' }],
    ['at a price above the plain one', { model: 'dear' }],
    ['of a book that only estimates', {}, { price: () => ({ nanoUsd: 1, isEstimate: true }) }],
    [
      'of a book that cannot price them',
      {},
      { price: (_, usage) => (usage.cachedInputTokens ? undefined : { nanoUsd: 1000 }) },
    ],
    [
      'of a book that fails',
      {},
      {
        price: () => {
          throw new Error('no');
        },
      },
    ],
    ['that are pictures', { inputImageTokens: 1000 }],
    ['that are sound', { inputAudioTokens: 1000, cachedAudioTokens: 900 }],
  ])('[BUD29] count in full %s', (_, fields, prices) => {
    expect(countedOf(fields, prices && { prices })).toBe(1050);
  });
});

describe('limits of tokens that count caches by their price', () => {
  it('[BUD30] reserve what the cache is likely to hold by its price, and settle the same', () => {
    const { breaker, store, booked } = byPrice({ maxTokens: 2000 });
    const chat = breaker.conversation('a');
    chat.observe(usage({ inputTokens: 1000, outputTokens: 0, cacheWriteTokens: 900 }));
    expect(booked()).toBe(1000);
    const request = modelRequest({ requestId: 'r', inputTokens: 1000, maxOutputTokens: 50 });
    chat.admit(request);
    expect(store.totals().reserved.tokens).toBe(COUNTED);
    chat.observe(usage({ ...CACHED, requestId: 'r' }));
    expect(store.totals()).toMatchObject({
      spent: { tokens: 1000 + COUNTED },
      reserved: { tokens: 0 },
    });
    expect(breaker.cost.tokens).toBe(1000 + 1050);
  });

  it('[BUD30] settle in full what was not read from the cache after all', () => {
    const { breaker, booked } = byPrice();
    breaker.observe(usage({ ...CACHED, requestId: 'first' }));
    breaker.admit(modelRequest({ requestId: 'r', inputTokens: 1000, maxOutputTokens: 50 }));
    breaker.observe(usage({ ...CACHED, cachedInputTokens: 0, requestId: 'r' }));
    expect(booked()).toBe(COUNTED + 1050);
  });

  it('[BUD30] settle a call without usage as it was reserved, and its cost is all tokens', () => {
    const { breaker, booked } = byPrice();
    breaker.observe(usage({ ...CACHED, requestId: 'first' }));
    breaker.admit(modelRequest({ requestId: 'r', inputTokens: 1000, maxOutputTokens: 50 }));
    breaker.observe(usage({ requestId: 'r', inputTokens: 0, outputTokens: 0, costUsd: null }));
    expect(booked()).toBe(2 * COUNTED);
    expect(breaker.cost.tokens).toBe(2 * 1050);
  });

  it('[BUD30] settle a call that broke off as what came, or as it was reserved', () => {
    const { breaker, booked } = byPrice();
    breaker.observe(usage({ ...CACHED, requestId: 'first' }));
    breaker.admit(modelRequest({ requestId: 'r', inputTokens: 1000, maxOutputTokens: 5000 }));
    breaker.observe(usage({ ...CACHED, requestId: 'r', outputTokens: 10, isPartial: true }));
    expect(booked()).toBe(COUNTED + 220);
    expect(breaker.cost.tokens).toBe(1050 + 1111);
  });

  it('[BUD30] count a second usage of a call as far as it counts more', () => {
    const { breaker, booked } = byPrice();
    const report = usage({ ...CACHED, requestId: 'r' });
    breaker.observe(report);
    breaker.observe(report);
    expect(booked()).toBe(COUNTED);
    breaker.observe({ ...report, outputTokens: 60 });
    expect(booked()).toBe(COUNTED + 10);
    breaker.observe({ ...report, cachedInputTokens: 0, outputTokens: 60 });
    expect(booked()).toBe(1060);
    expect(breaker.cost.tokens).toBe(1060);
  });

  it('[BUD30] hold in every purse, warn and trip by the number that the store has', () => {
    for (const budget of [
      { maxTokens: 1000 },
      { perConversation: { maxTokens: 1000 } },
      { perDay: { maxTokens: 1000 } },
      { perUser: { maxTokens: 1000 } },
      { agents: { writer: { perMonth: { maxTokens: 1000 } } } },
    ]) {
      const { breaker, booked } = byPrice({ ...budget, warnAt: 0.7 });
      const warnings = warningsOf(breaker);
      const chat = breaker.for({ user: 'ann' }).conversation();
      const trips: (Trip | undefined)[] = [];
      for (let i = 0; i < 5; i++) trips.push(chat.observe(usage(CACHED)));
      expect(warnings).toEqual([expect.stringContaining('720 tokens of 1,000 tokens')]);
      expect(trips.slice(0, 4)).toEqual([undefined, undefined, undefined, undefined]);
      expect(trips[4]).toMatchObject({ evidence: { count: 1200, limit: 1000 } });
      expect(explain(trips[4] as Trip)).toContain('1,200 tokens spent');
      expect([booked(), breaker.cost.tokens]).toEqual([1200, 5250]);
    }
  });

  it('[BUD30] tell what is left by it (tellLimits)', () => {
    const { breaker } = byPrice({ maxTokens: 1000 }, { tellLimits: true });
    const warnings = warningsOf(breaker);
    for (let i = 0; i < 3; i++) breaker.observe(usage(CACHED));
    expect(warnings).toEqual(['72% of the budget is spent: 720 tokens of 1,000 tokens']);
  });

  it('[BUD30] go on from a snapshot, also of what is under way', () => {
    const options: BreakerOptions = {
      prices: PRICES,
      budget: { maxTokens: 1000, cacheReads: 'by-price' },
    };
    const before = new Breaker(options);
    const first = usage({ ...CACHED, requestId: 'first' });
    before.observe(first);
    before.admit(modelRequest({ requestId: 'r', inputTokens: 1000, maxOutputTokens: 50 }));
    const after = new Breaker(options);
    after.restore(JSON.parse(JSON.stringify(before.snapshot())));
    after.observe(first);
    after.observe(usage({ requestId: 'r', inputTokens: 0, outputTokens: 0, costUsd: null }));
    expect(after.cost.tokens).toBe(2100);
    const trip = after.observe(usage({ inputTokens: 1000, outputTokens: 0 }));
    expect(trip?.evidence.count).toBe(2 * COUNTED + 1000);
  });

  it('[BUD31] never count more than all tokens, and count all of them without a cache', () => {
    const tokens = fc.nat(100_000);
    const call = fc.record({
      requestId: fc.constantFrom('a', 'b', 'c'),
      model: fc.constantFrom(...Object.keys(PRICES), 'gpt-4o', 'unknown'),
      inputTokens: tokens,
    });
    const came = fc.record({
      outputTokens: tokens,
      cachedInputTokens: tokens,
      cacheWriteTokens: tokens,
      inputAudioTokens: tokens,
      isPartial: fc.boolean(),
    });
    const calls = fc.array(fc.tuple(call, fc.option(tokens), came), { maxLength: 12 });
    const none = { cachedInputTokens: 0, cacheWriteTokens: 0 };
    fc.assert(
      fc.property(calls, fc.boolean(), (all, hasCache) => {
        const { breaker, booked } = byPrice({ maxTokens: 1e12 });
        for (const [one, maxOutputTokens, reported] of all) {
          if (maxOutputTokens !== null) breaker.admit(modelRequest({ ...one, maxOutputTokens }));
          const { costUsd: _, ...report } = usage({ ...one, ...reported });
          breaker.observe({ ...report, ...(!hasCache && none) });
          expect(booked()).toBeLessThanOrEqual(breaker.cost.tokens);
          if (!hasCache) expect(booked()).toBe(breaker.cost.tokens);
        }
      }),
    );
  });
});
