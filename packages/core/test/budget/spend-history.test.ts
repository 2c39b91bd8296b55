import { describe, expect, it } from 'vitest';
import { SpendHistory } from '../../src/budget/spend-history.ts';
import { Breaker, type Cost } from '../../src/index.ts';
import { message, modelRequest, usage } from '../support/signals.ts';

const CALLS_KEPT = 4096;

function cost(tokens: number, fields: Partial<Cost> = {}): Cost {
  return { nanoUsd: 10 * tokens, tokens, unpricedTokens: 0, isEstimate: false, ...fields };
}

describe('what was spent', () => {
  it('[BRK1] is counted from the first signal of the evidence on', () => {
    const history = new SpendHistory();
    history.record(1, cost(100));
    history.record(4, cost(20, { unpricedTokens: 20, nanoUsd: 0 }));
    history.record(6, cost(3));
    expect(history.since(4)).toEqual({
      nanoUsd: 30,
      tokens: 23,
      unpricedTokens: 20,
      isEstimate: false,
    });
    expect(history.since(7)).toEqual(cost(0));
  });

  it('[BUD6] is marked as an estimate if any of it is one', () => {
    const history = new SpendHistory();
    history.record(0, cost(1, { isEstimate: true }));
    history.record(1, cost(1));
    expect(history.since(0).isEstimate).toBe(true);
    expect(history.since(1).isEstimate).toBe(false);
    expect(history.total.isEstimate).toBe(true);
  });

  it('[BUD17] is known for each of the latest 4,096 calls at least, with a bounded memory', () => {
    const history = new SpendHistory();
    for (let calls = 1; calls <= 5 * CALLS_KEPT; calls++) {
      history.record(calls, cost(1));
      // Adding up is slow: what is kept only changes when twice as much is exceeded.
      if (calls % CALLS_KEPT > 1) continue;
      const kept = history.since(0).tokens;
      expect(kept).toBeGreaterThanOrEqual(Math.min(calls, CALLS_KEPT));
      expect(kept).toBeLessThanOrEqual(2 * CALLS_KEPT);
    }
    expect(history.since(5 * CALLS_KEPT - 9).tokens).toBe(10);
    expect(history.total.tokens).toBe(5 * CALLS_KEPT);
  });

  it('[BUD17] can be restored from a snapshot however many calls there were', () => {
    const first = new SpendHistory();
    for (let i = 0; i < 2 * CALLS_KEPT; i++) first.record(i, cost(1));
    const second = new SpendHistory();
    second.restore(JSON.parse(JSON.stringify(first.snapshot())));
    expect(second.total).toEqual(first.total);
    expect(second.since(0)).toEqual(first.since(0));
  });

  it('[BRK16] loses its places with a reset, and keeps its total', () => {
    const breaker = new Breaker({ maxMessages: 1 });
    breaker.observe(usage());
    breaker.reset();
    expect(breaker.observe(message('a', 'one'))?.evidence.cost.tokens).toBe(0);
    expect(breaker.cost.tokens).toBe(15);
  });

  it('[CTX3] does not count what was said before a reset into the next prompt', () => {
    const breaker = new Breaker({ contextWindow: { maxContextTokens: 100 } });
    breaker.observe(message('a', 'x'.repeat(500)));
    expect(breaker.admit(modelRequest())).toMatchObject({ isAdmitted: false });
    breaker.reset();
    expect(breaker.admit(modelRequest())).toMatchObject({ isAdmitted: true });
  });
});
