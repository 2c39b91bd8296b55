import { describe, expect, it } from 'vitest';
import { Breaker, MemoryBudgetStore } from '../../src/index.ts';
import { modelRequest, usage } from '../support/signals.ts';

const MOST = 65_536;
const HOUR = 3_600_000;

describe('the calls of one conversation that are under way', () => {
  /** A breaker with as many calls under way as it keeps track of, of one token each. */
  function crowded() {
    const clock = { now: 0 };
    const now = (): number => clock.now;
    const store = new MemoryBudgetStore(undefined, { reservationMs: HOUR, now });
    const breaker = new Breaker({ budget: { maxTokens: 1_000_000, store }, now });
    for (let i = 0; i < MOST; i++) expect(ask(breaker, `${i}`)).toBe(true);
    return { breaker, store, clock };
  }

  function ask(breaker: Breaker, requestId: string): boolean {
    const admission = breaker.admit(modelRequest({ requestId, inputTokens: 1 }));
    if (admission instanceof Promise) throw new Error('a store in memory answers at once');
    return admission.isAdmitted;
  }

  it('[BUD23] are all known, and one too many is refused with nothing held for it', () => {
    const { breaker, store } = crowded();
    expect(ask(breaker, 'one more')).toBe(false);
    expect(breaker.trip).toMatchObject({
      kind: 'budget',
      reason: expect.stringContaining('65536 model calls of this conversation are under way'),
    });
    expect(store.totals()).toMatchObject({ reserved: { tokens: MOST } });
    for (let i = 0; i < MOST; i++) {
      breaker.observe(usage({ requestId: `${i}`, inputTokens: 1, outputTokens: 0 }));
    }
    expect(store.totals()).toMatchObject({ spent: { tokens: MOST }, reserved: { tokens: 0 } });
  });

  it('[BUD23] make room for another one when one ends, or its reservation expires', () => {
    const { breaker, clock } = crowded();
    breaker.observe(usage({ requestId: '7', inputTokens: 1, outputTokens: 0 }));
    expect(ask(breaker, 'next')).toBe(true);
    clock.now = HOUR;
    expect(ask(breaker, 'after an hour')).toBe(true);
  });

  it('[BUD23] are kept to the latest 4,096 where nothing is reserved', () => {
    const breaker = new Breaker();
    for (let i = 0; i < 5000; i++) ask(breaker, `${i}`);
    const spend = Object(breaker.snapshot().conversations[''])?.spend;
    expect(spend.calls).toHaveLength(4096);
    expect(spend.calls[0][0]).toBe('request:904');
  });
});
