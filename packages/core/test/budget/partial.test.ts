import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Breaker, MemoryBudgetStore } from '../../src/index.ts';
import { modelRequest, usage } from '../support/signals.ts';

const prices = {
  price: (
    _: string,
    { inputTokens, outputTokens }: { inputTokens: number; outputTokens: number },
  ) => ({
    nanoUsd: inputTokens + 4 * outputTokens,
  }),
};

/** What is booked for a call that reserved `reserved` tokens for its answer, and of which `came` have come. */
function booked(inputTokens: number, reserved: number, came: number) {
  const store = new MemoryBudgetStore();
  const breaker = new Breaker({ prices, budget: { maxUsd: 1, maxTokens: 1e9, store } });
  breaker.admit(modelRequest({ requestId: 'r', inputTokens, maxOutputTokens: reserved }));
  const { costUsd: _, ...report } = usage({ requestId: 'r', inputTokens, outputTokens: came });
  breaker.observe({ ...report, isPartial: true });
  expect(store.totals().reserved.tokens).toBe(0);
  expect(breaker.cost.isEstimate).toBe(true);
  return store.totals().spent;
}

describe('a call that ended without usage', () => {
  it.each([
    ['as it was reserved where nothing came', 100, 50, 0, { tokens: 150, nanoUsd: 300 }],
    ['as what came where that is more', 100, 50, 90, { tokens: 190, nanoUsd: 460 }],
    ['as it was reserved where a tenth reaches that', 100, 50, 45, { tokens: 150, nanoUsd: 300 }],
    ['as a tenth more where more was reserved', 100, 9000, 50, { tokens: 165, nanoUsd: 330 }],
  ])('[BUD28] counts %s', (_, prompt, reserved, came, spent) => {
    expect(booked(prompt, reserved, came)).toEqual(spent);
  });

  it('[BUD28] counts as between what came and a tenth more, once something has come', () => {
    const size = fc.integer({ min: 1, max: 1e6 });
    fc.assert(
      fc.property(size, size, size, (prompt, reserved, came) => {
        const { tokens, nanoUsd } = booked(prompt, reserved, came);
        const [seen, cost] = [prompt + came, prompt + 4 * came];
        expect(tokens).toBeGreaterThanOrEqual(seen);
        expect(nanoUsd).toBeGreaterThanOrEqual(cost);
        if (came < reserved)
          expect(tokens).toBeLessThanOrEqual(Math.min(seen * 1.1, prompt + reserved));
        else expect({ tokens, nanoUsd }).toEqual({ tokens: seen, nanoUsd: cost });
        expect(nanoUsd).toBeLessThanOrEqual(cost * 1.1);
      }),
    );
  });

  it('[BUD28] counts as what was seen where nothing was reserved', () => {
    const breaker = new Breaker({ prices, budget: { maxUsd: 1 } });
    const { costUsd: _, ...report } = usage({ inputTokens: 100, outputTokens: 50 });
    breaker.observe({ ...report, isPartial: true });
    expect(breaker.cost).toMatchObject({ nanoUsd: 300, tokens: 150, isEstimate: true });
  });

  it('[BUD28] counts so if it failed as well, and as nothing if it failed without being partial', () => {
    const error = { message: 'socket hang up', code: 'ECONNRESET' };
    for (const isPartial of [true, false]) {
      const store = new MemoryBudgetStore();
      const breaker = new Breaker({ prices, budget: { maxUsd: 1, store } });
      breaker.admit(modelRequest({ inputTokens: 100, maxOutputTokens: 50 }));
      const none = { inputTokens: 0, outputTokens: 0, costUsd: null };
      breaker.observe(usage({ ...none, isPartial, error }));
      expect(store.totals()).toEqual({
        spent: isPartial ? { nanoUsd: 300, tokens: 150 } : { nanoUsd: 0, tokens: 0 },
        reserved: { nanoUsd: 0, tokens: 0 },
      });
    }
  });

  it('[BUD27] counts as its real usage if that comes later and is more', () => {
    const store = new MemoryBudgetStore();
    const breaker = new Breaker({ prices, budget: { maxUsd: 1, store } });
    breaker.admit(modelRequest({ requestId: 'r', inputTokens: 100, maxOutputTokens: 9000 }));
    const call = { requestId: 'r', inputTokens: 100 };
    const { costUsd: _, ...report } = usage({ ...call, outputTokens: 50 });
    breaker.observe({ ...report, isPartial: true });
    breaker.observe({ ...report, outputTokens: 400 });
    expect(store.totals().spent).toEqual({ tokens: 500, nanoUsd: 1700 });
  });
});
