import { describe, expect, it } from 'vitest';
import { Breaker } from '../../src/index.ts';
import { message, modelRequest, usage } from '../support/signals.ts';

describe('raising the budget', () => {
  it('[BRK27] lets every conversation that it has stopped go on', () => {
    const breaker = new Breaker({ budget: { maxTokens: 100 } });
    const other = breaker.conversation('other');
    other.observe(message('writer', 'one'));
    other.observe(usage({ inputTokens: 90, outputTokens: 20 }));
    expect(other.trip?.kind).toBe('budget');
    expect(breaker.admit(modelRequest({ inputTokens: 10 }))).toMatchObject({ isAdmitted: false });
    breaker.raise({ maxTokens: 200 });
    expect([other.trip, breaker.conversation().trip]).toEqual([undefined, undefined]);
    expect(breaker.admit(modelRequest({ inputTokens: 10 }))).toMatchObject({ isAdmitted: true });
    expect(breaker.cost.tokens).toBe(110);
  });

  it('[BRK27] closes no circuit that is open for another reason', () => {
    const breaker = new Breaker({ budget: { maxUsd: 1 } });
    breaker.stop('enough');
    breaker.raise({ maxUsd: 2 });
    expect(breaker.conversation().trip?.kind).toBe('manual');
  });

  it('[BRK27] [BRK12] undoes no stop by hand, though the budget had stopped the team before', () => {
    const breaker = new Breaker({ budget: { maxUsd: 1 } });
    const kinds: string[] = [];
    breaker.on('trip', ({ kind }) => kinds.push(kind));
    breaker.trackCost(2);
    expect(breaker.stop('enough')).toMatchObject({ kind: 'manual', reason: 'enough' });
    breaker.raise({ maxUsd: 3 });
    expect(breaker.conversation().state).toMatchObject({
      status: 'stopped',
      trip: { reason: 'enough' },
    });
    expect(breaker.stop('again').reason).toBe('enough');
    expect(kinds).toEqual(['budget', 'manual']);
    breaker.reset();
    expect(breaker.conversation().state.status).toBe('closed');
  });

  it.each([
    [{ maxUsd: -1 }, 'budget.maxUsd'],
    [{ maxUSD: 3 }, 'budget.maxUSD'],
  ])('[BRK27] refuses %j and names the limit', (limits, option) => {
    expect(() => new Breaker().raise(limits as never)).toThrow(expect.objectContaining({ option }));
  });
});

describe('a rolling budget', () => {
  it('[BRK28] refuses while the window is full, and admits when there is room again', () => {
    let now = 0;
    const options = { budget: { maxTokens: 100, windowMs: 60_000 }, cooldownMs: 1000 };
    const breaker = new Breaker({ ...options, now: () => now });
    const call = () => breaker.admit(modelRequest({ inputTokens: 60, at: now }));
    expect(call()).toMatchObject({ isAdmitted: true });
    breaker.observe(usage({ inputTokens: 50, outputTokens: 10 }));
    now = 30_000;
    expect(call()).toMatchObject({ isAdmitted: false, trip: { kind: 'budget' } });
    expect(breaker.conversation().state.status).toBe('open');
    const snapshot = JSON.parse(JSON.stringify(breaker.snapshot()));
    now = 61_000;
    expect(call()).toMatchObject({ isAdmitted: true, permit: { isProbe: true } });
    const restored = new Breaker({ ...options, now: () => now });
    restored.restore(snapshot);
    expect(restored.snapshot()).toEqual(snapshot);
  });

  it.each([{ windowMs: 60_000, maxUsd: 1 }, { perDay: { maxUsd: 1 } }])(
    '[BRK33] goes on with %j once a model call has passed, which brings nothing but its usage',
    async (budget) => {
      let now = Date.parse('2026-11-26T23:59:30Z');
      const breaker = new Breaker({ budget, cooldownMs: 1000, now: () => now });
      breaker.trackCost(1.5);
      now += 10_000;
      const request = { kind: 'model-request', agent: 'writer', model: 'gpt-4o' } as const;
      const ask = () => breaker.run(request, () => ({ usage: TOKENS }));
      await expect(ask()).rejects.toThrow('budget');
      expect(breaker.conversation().state.status).toBe('open');
      now += 60_000;
      for (let i = 0; i < 3; i++) await ask();
      expect(breaker.conversation().state.status).toBe('closed');
    },
  );

  it('[BRK33] goes on after an outage once a model call is answered, and not while they fail', async () => {
    let now = 0;
    const breaker = new Breaker({ cooldownMs: 1000, now: () => now });
    const request = { kind: 'model-request', agent: 'writer', model: 'gpt-4o' } as const;
    const fail = () => breaker.run(request, () => Promise.reject(new Error('503 overloaded')));
    for (let i = 0; i < 9; i++) await fail().catch(() => {});
    expect(breaker.conversation().trip?.reason).toContain("model 'gpt-4o' failed");
    now += 1000;
    await expect(fail()).rejects.toThrow('503');
    expect(breaker.conversation().state).toMatchObject({ status: 'open', openings: 2 });
    now += 2000;
    await breaker.run(request, () => ({ usage: TOKENS }));
    expect(breaker.conversation().state.status).toBe('closed');
    await expect(fail()).rejects.toThrow('503');
  });

  it('[BRK33] goes on after a call beyond the window once a smaller one is answered', async () => {
    let now = 0;
    const contextWindow = { maxContextTokens: 2000 };
    const breaker = new Breaker({ contextWindow, cooldownMs: 1000, now: () => now });
    const ask = (inputTokens: number) =>
      breaker.run({ kind: 'model-request', agent: 'writer', model: 'gpt-4o', inputTokens }, () => ({
        usage: TOKENS,
      }));
    await expect(ask(5000)).rejects.toThrow('context window');
    now += 1000;
    await ask(100);
    expect(breaker.conversation().state.status).toBe('closed');
  });

  it('[BRK33] keeps a loop stopped whose probe has brought nothing but the usage of its call', async () => {
    let now = 0;
    const breaker = new Breaker({ cooldownMs: 1000, now: () => now });
    const search = { kind: 'tool-call', agent: 'writer', tool: 'search', args: {} } as const;
    for (let i = 0; i < 3; i++) await breaker.run(search, () => 'none').catch(() => {});
    now += 1000;
    const request = { kind: 'model-request', agent: 'writer', model: 'gpt-4o' } as const;
    await breaker.run(request, () => ({ usage: TOKENS }));
    expect(breaker.conversation().state).toMatchObject({ status: 'open', openings: 2 });
  });
});

const TOKENS = { prompt_tokens: 100, completion_tokens: 10 };
