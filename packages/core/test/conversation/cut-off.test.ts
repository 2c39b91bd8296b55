import { describe, expect, it } from 'vitest';
import { Breaker, MemoryBudgetStore, type Step } from '../../src/index.ts';
import { modelRequest } from '../support/signals.ts';

const prices = {
  price: (_: string, used: { inputTokens: number; outputTokens: number }) => ({
    nanoUsd: used.inputTokens + 4 * used.outputTokens,
  }),
};
const request = modelRequest({ requestId: 'r', inputTokens: 100, maxOutputTokens: 1_000 });
const RESERVED = { tokens: 1_100, nanoUsd: 4_100 };

/** What is booked for a model call with this work. */
async function booked(work: (step: Step, breaker: Breaker) => unknown) {
  const store = new MemoryBudgetStore();
  const breaker = new Breaker({ prices, budget: { maxUsd: 1, store } });
  const ended = new Promise((resolve) => breaker.on('spend', resolve));
  await breaker.run(request, async (step) => work(step, breaker)).catch(() => {});
  await ended;
  expect(store.totals().reserved.tokens).toBe(0);
  return store.totals().spent;
}

describe('a model call that ends without usage', () => {
  it('[RUN11] counts as it was reserved when it is stopped before anything has come', async () => {
    const stopped = await booked(({ signal }, breaker) => {
      breaker.stop('enough');
      signal.throwIfAborted();
    });
    expect(stopped).toEqual(RESERVED);
  });

  it.each([
    [800, { tokens: 990, nanoUsd: 3_630 }],
    [2_000, { tokens: 2_100, nanoUsd: 8_100 }],
  ])('[RUN11] counts %i tokens that have come, however it ends', async (tokens, spent) => {
    const text = 'four'.repeat(tokens / 4);
    const ends: readonly ((step: Step, breaker: Breaker) => unknown)[] = [
      () => 'left',
      () => Promise.reject(new Error('socket hang up')),
      ({ signal }, breaker) => {
        breaker.stop('enough');
        signal.throwIfAborted();
      },
    ];
    for (const end of ends) {
      const found = await booked((step, breaker) => {
        for (let i = 0; i < 4; i++) step.streamed(text);
        return end(step, breaker);
      });
      expect(found).toEqual(spent);
    }
  });

  it('[RUN11] counts as its usage where there is one, and as nothing where it failed at once', async () => {
    const usage = { inputTokens: 100, outputTokens: 7 };
    const reported = await booked(({ streamed }) => {
      streamed('four'.repeat(50));
      return { usage };
    });
    expect(reported).toEqual({ tokens: 107, nanoUsd: 128 });
    const failed = await booked(() => Promise.reject(new Error('no luck')));
    expect(failed).toEqual({ tokens: 0, nanoUsd: 0 });
  });
});
