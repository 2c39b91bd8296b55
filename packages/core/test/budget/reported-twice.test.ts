import { describe, expect, it } from 'vitest';
import { Breaker, MemoryBudgetStore } from '../../src/index.ts';
import { modelRequest, usage } from '../support/signals.ts';

const request = modelRequest({ requestId: 'r', estimatedCostUsd: 0.25, inputTokens: 100 });
const report = usage({ requestId: 'r', costUsd: 0.1 });

function limited() {
  const store = new MemoryBudgetStore();
  const breaker = new Breaker({ budget: { maxUsd: 1, store } });
  const booked = () => store.totals().spent.nanoUsd / 1e9;
  return { breaker, store, booked };
}

describe('usage that is reported twice', () => {
  it.each([true, false])('[BUD27] counts once, if the call was asked for or not: %j', (isAsked) => {
    const { breaker, store, booked } = limited();
    if (isAsked) breaker.admit(request);
    for (let i = 0; i < 20; i++) expect(breaker.observe(report)).toBeUndefined();
    expect(booked()).toBe(0.1);
    expect(breaker.cost).toMatchObject({ nanoUsd: 100_000_000, tokens: 15, isEstimate: false });
    expect(store.totals().reserved.nanoUsd).toBe(0);
  });

  it('[BUD27] counts as the larger report, whichever comes first', () => {
    for (const costs of [
      [0.05, 0.1],
      [0.1, 0.05],
      [0.02, 0.1, 0.07],
    ]) {
      const { breaker, booked } = limited();
      breaker.admit(request);
      for (const costUsd of costs) breaker.observe({ ...report, costUsd });
      expect(booked()).toBe(0.1);
    }
  });

  it('[BUD27] adds nothing by a report without tokens, a failure or an unknown price', () => {
    const { breaker, booked } = limited();
    breaker.admit(request);
    breaker.observe(report);
    const none = { ...report, inputTokens: 0, outputTokens: 0, costUsd: null };
    expect(breaker.observe(none)).toBeUndefined();
    expect(breaker.observe({ ...none, error: { message: 'down' } })).toBeUndefined();
    expect(breaker.observe({ ...report, costUsd: null })).toBeUndefined();
    expect(booked()).toBe(0.1);
    expect(breaker.cost.unpricedTokens).toBe(0);
  });

  it('[BUD27] counts twice where two calls were asked for with one id, or made in two runs', () => {
    const { breaker, booked } = limited();
    breaker.admit(request);
    breaker.admit(request);
    breaker.observe(report);
    breaker.observe(report);
    expect(booked()).toBe(0.2);
    breaker.reset();
    breaker.observe(report);
    expect(booked()).toBeCloseTo(0.3);
  });

  it('[BUD27] counts twice for two calls without an id, and for those of two conversations', () => {
    const { breaker, booked } = limited();
    const { requestId: _, ...nameless } = report;
    breaker.observe(nameless);
    breaker.observe(nameless);
    breaker.conversation('a').observe(report);
    breaker.conversation('b').observe(report);
    expect(booked()).toBeCloseTo(0.4);
  });

  it('[BUD27] counts once over a snapshot, also of a breaker that kept no reports', () => {
    const { breaker, booked } = limited();
    breaker.observe(report);
    const { store } = limited();
    const other = new Breaker({ budget: { maxUsd: 1, store } });
    other.restore(JSON.parse(JSON.stringify(breaker.snapshot())));
    other.observe(report);
    expect(store.totals().spent.nanoUsd).toBe(0);
    const { settled: __, ...spend } = breaker.snapshot().spend as { settled: unknown };
    other.restore({ ...breaker.snapshot(), spend } as never);
    other.observe(report);
    expect(store.totals().spent.nanoUsd / 1e9).toBe(booked());
  });

  it('[BUD27] is known of the latest 1,024 calls', () => {
    const { breaker, booked } = limited();
    const reported = (i: number) =>
      breaker.observe({ ...report, requestId: `${i}`, costUsd: 1e-9 });
    for (let i = 0; i <= 1024; i++) reported(i);
    reported(1);
    expect(booked()).toBeCloseTo(1025e-9, 12);
    reported(0);
    expect(booked()).toBeCloseTo(1026e-9, 12);
  });
});
