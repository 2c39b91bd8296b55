import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Breaker, MemoryBudgetStore } from '../../src/index.ts';
import { ModelCall, type UsageSignal } from '../../src/kit.ts';
import { message, modelRequest, usage } from '../support/signals.ts';

const NOTHING = { inputTokens: 0, outputTokens: 0, costUsd: null };
const estimate = { estimatedCostUsd: 0.25, inputTokens: 100, maxOutputTokens: 50 };

describe('usage that nobody reports', () => {
  it.each<[string, Partial<UsageSignal>]>([
    ['0/0 at no price', NOTHING],
    ['0/0 for nothing', { ...NOTHING, costUsd: 0 }],
  ])('[BUD6] counts as it was reserved, and as an estimate: %s', (_, reported) => {
    const breaker = new Breaker({ budget: { maxUsd: 1 } });
    breaker.admit(modelRequest({ requestId: 'r', ...estimate }));
    expect(breaker.observe(usage({ requestId: 'r', ...reported }))).toBeUndefined();
    expect(breaker.cost).toEqual({
      nanoUsd: 250_000_000,
      tokens: 150,
      unpricedTokens: 0,
      isEstimate: true,
    });
  });

  it('[BUD6] counts as it was reserved in money where only its tokens are reported', () => {
    const breaker = new Breaker({ budget: { maxUsd: 1 } });
    breaker.admit(modelRequest({ requestId: 'r', ...estimate }));
    breaker.observe(usage({ requestId: 'r', costUsd: null }));
    expect(breaker.cost).toMatchObject({ nanoUsd: 250_000_000, tokens: 15, isEstimate: true });
  });

  it('[BUD6] counts as it was reserved in tokens where only its money is reported', () => {
    const breaker = new Breaker({ budget: { maxTokens: 1000 } });
    breaker.admit(modelRequest({ requestId: 'r', ...estimate }));
    breaker.observe(usage({ requestId: 'r', ...NOTHING, costUsd: 0.5 }));
    expect(breaker.cost).toMatchObject({ nanoUsd: 500_000_000, tokens: 150, isEstimate: true });
  });

  it('[BUD5] trips a budget in dollars where nothing was reserved either', () => {
    const breaker = new Breaker({ budget: { maxUsd: 1 } });
    expect(breaker.observe(usage(NOTHING))?.kind).toBe('budget');
  });

  it('[BUD3] is nothing where the call failed', () => {
    const breaker = new Breaker({ budget: { maxUsd: 1 } });
    breaker.admit(modelRequest({ requestId: 'r', ...estimate }));
    breaker.observe(usage({ requestId: 'r', ...NOTHING, error: { message: 'down' } }));
    expect(breaker.cost).toMatchObject({ nanoUsd: 0, tokens: 0, isEstimate: false });
  });

  it.each([
    [undefined],
    [{ inputTokens: '4000', outputTokens: '4000', costUsd: '1' }],
    [{ inputTokens: -1, outputTokens: -1, costUsd: -1 }],
    [{ inputTokens: 1.5, outputTokens: 1.5, costUsd: Number.NaN }],
    [{ inputTokens: 10 }],
    [{ inputTokens: 0, outputTokens: 0 }],
    ['4000'],
  ])('[RUN1] counts as it was reserved where the work gives %j', async (reported) => {
    const store = new MemoryBudgetStore();
    const breaker = new Breaker({ budget: { maxUsd: 1, store } });
    await breaker.run(modelRequest(estimate), () => ({ usage: reported }));
    expect(store.totals()).toEqual({
      spent: { nanoUsd: 250_000_000, tokens: 150 },
      reserved: { nanoUsd: 0, tokens: 0 },
    });
    expect(breaker.cost.isEstimate).toBe(true);
  });
});

describe('a reservation that is never settled', () => {
  const call = modelRequest({ requestId: 'lost', inputTokens: 60 });
  const held = (store: MemoryBudgetStore) => store.totals().reserved.tokens;

  it('[BUD21] is released by a reset of its conversation, and of no other', () => {
    const store = new MemoryBudgetStore();
    const breaker = new Breaker({ budget: { maxTokens: 200, store } });
    breaker.conversation('a').admit(call);
    breaker.conversation('b').admit(call);
    breaker.conversation('a').reset();
    expect(held(store)).toBe(60);
    breaker.reset();
    expect(held(store)).toBe(0);
  });

  it('[BUD21] is released when the trip that it led up to is over', () => {
    let now = 0;
    const store = new MemoryBudgetStore();
    const options = { contextWindow: { maxContextTokens: 100 }, budget: { maxTokens: 500, store } };
    const breaker = new Breaker({ ...options, cooldownMs: 10, now: () => now });
    breaker.admit(call);
    breaker.admit(modelRequest({ inputTokens: 101 }));
    now = 10;
    const probe = breaker.admit(modelRequest({ requestId: 'probe', at: now, inputTokens: 7 }));
    expect(probe).toMatchObject({ isAdmitted: true });
    expect(held(store)).toBe(67);
    breaker.observe(message('writer', 'The third chapter is about 17 whales.', now));
    expect(breaker.conversation().state.status).toBe('closed');
    expect(held(store)).toBe(7);
  });

  it('[BUD21] is held on when the limit is raised, as its call goes on', () => {
    const store = new MemoryBudgetStore();
    const breaker = new Breaker({ budget: { maxTokens: 100, store } });
    breaker.admit(call);
    breaker.admit(call);
    breaker.raise({ maxTokens: 110 });
    expect(held(store)).toBe(60);
    expect(breaker.admit(call)).toMatchObject({ isAdmitted: false });
  });

  it('[BUD21] books what its call reports late all the same', () => {
    const store = new MemoryBudgetStore();
    const breaker = new Breaker({ budget: { maxTokens: 200, store } });
    breaker.admit(call);
    breaker.reset();
    breaker.observe(usage({ requestId: 'lost' }));
    expect(store.totals()).toMatchObject({ spent: { tokens: 15 }, reserved: { tokens: 0 } });
  });

  it('[BUD3] is released for a call that is not made after all, which costs nothing', () => {
    const store = new MemoryBudgetStore();
    const breaker = new Breaker({ budget: { maxTokens: 100, store } });
    const request = modelRequest({ requestId: 'dropped', ...estimate, depth: 2 });
    breaker.admit({ ...request, inputTokens: 40 });
    expect(held(store)).toBeGreaterThan(0);
    const reported: unknown[] = [];
    breaker.on('signal', ({ signal }) => reported.push(signal));
    new ModelCall({ host: breaker.conversation(), request }).unmade();
    expect([held(store), breaker.cost.tokens]).toEqual([0, 0]);
    expect(breaker.conversation().trip).toBeUndefined();
    expect(reported).toMatchObject([{ requestId: 'dropped', depth: 2, costUsd: 0 }]);
  });

  it('[BUD18] is released after `reservationMs`', () => {
    let now = 0;
    const budget = { maxTokens: 100, reservationMs: 1000 };
    const breaker = new Breaker({ budget, reaction: 'observe', now: () => now });
    const found: unknown[] = [];
    breaker.on('finding', ({ finding }) => found.push(finding));
    breaker.admit(call);
    now = 999;
    breaker.admit(call);
    expect(found).toHaveLength(1);
    now = 1000;
    breaker.admit(call);
    expect(found).toHaveLength(1);
  });
});

describe('the books', () => {
  const call = fc.record({
    agent: fc.constantFrom('writer', 'critic', '__proto__'),
    model: fc.constantFrom('m', 'n'),
    input: fc.oneof(fc.nat(1000), fc.nat()),
    output: fc.nat(1000),
    nano: fc.oneof(fc.nat(1000), fc.nat(), fc.constant(999_999_999)),
    isAsked: fc.boolean(),
  });

  it('[BUD22] equal a plain sum, for any prices and usage, in the whole and in every purse', () => {
    fc.assert(
      fc.property(fc.array(call, { maxLength: 60 }), (calls) => {
        const store = new MemoryBudgetStore();
        const purse = { maxUsd: 9e6 };
        const budget = { maxUsd: 9e6, perAgent: purse, perModel: purse, store };
        const breaker = new Breaker({ budget, reaction: 'observe' });
        const sums = new Map<string, [bigint, bigint]>();
        for (const { agent, model, input, output, nano, isAsked } of calls) {
          const [inputTokens, outputTokens] = [input + 1, output];
          if (isAsked) {
            breaker.admit(modelRequest({ agent, model, inputTokens, estimatedCostUsd: 0.001 }));
          }
          const costUsd = nano / 1e9;
          breaker.observe(usage({ agent, model, inputTokens, outputTokens, costUsd }));
          for (const name of ['', `agent:${agent}`, `model:${model}`]) {
            const [money, tokens] = sums.get(name) ?? [0n, 0n];
            sums.set(name, [money + BigInt(nano), tokens + BigInt(inputTokens + outputTokens)]);
          }
        }
        const names = [...sums.keys()].filter((name) => name !== '');
        const { spent, reserved, purses = [] } = store.totals(names);
        expect(reserved).toEqual({ nanoUsd: 0, tokens: 0 });
        const books = new Map([
          ['', spent],
          ...names.map((n, i) => [n, purses[i]?.spent] as const),
        ]);
        for (const [name, [money, tokens]] of sums) {
          const { nanoUsd = -1, tokens: counted = -1 } = books.get(name) ?? {};
          expect([BigInt(nanoUsd), BigInt(counted)]).toEqual([money, tokens]);
        }
        const [money] = sums.get('') ?? [0n];
        expect(BigInt(breaker.cost.nanoUsd)).toBe(money);
      }),
    );
  });
});
