import { describe, expect, it } from 'vitest';
import { Breaker, InvalidSnapshotError, MemoryBudgetStore } from '../../src/index.ts';
import { heard } from '../support/judge.ts';
import { message, modelRequest, usage, withMain } from '../support/signals.ts';
import { staleText } from '../support/stale.ts';

const budget = { maxTokens: 1000 };
const UNREPORTED = { inputTokens: 0, outputTokens: 0 };

describe('what a call has cost', () => {
  it('[BUD6] is no estimate where tokens were reported, unless the signal says so', () => {
    const breaker = new Breaker({ budget });
    breaker.observe(message('writer', 'x'.repeat(400)));
    breaker.observe(usage({ inputTokens: 0, outputTokens: 5 }));
    expect(breaker.cost).toMatchObject({ tokens: 5, isEstimate: false });
    breaker.observe(usage({ isEstimate: true }));
    expect(breaker.cost).toMatchObject({ tokens: 20, isEstimate: true });
  });

  it('[BUD6] is nothing, and no estimate, where the call failed or nothing was said before', () => {
    const breaker = new Breaker({ budget });
    breaker.observe(usage({ ...UNREPORTED, costUsd: 0 }));
    breaker.observe(message('writer', 'x'.repeat(400)));
    breaker.observe(usage({ ...UNREPORTED, costUsd: 0, error: { message: 'down' } }));
    expect(breaker.cost).toMatchObject({ tokens: 0, isEstimate: false });
  });

  it('[BUD6] is nothing where nothing is limited, as what was said is not counted then', () => {
    const breaker = new Breaker();
    breaker.observe(message('writer', 'x'.repeat(400)));
    breaker.observe(usage({ ...UNREPORTED, costUsd: 0 }));
    expect(breaker.cost).toMatchObject({ tokens: 0, isEstimate: false });
  });

  it('[BUD6] is estimated from what was said at its own depth', () => {
    const breaker = new Breaker({ budget });
    breaker.observe(message('writer', 'x'.repeat(400)));
    breaker.observe({ ...message('critic', 'x'.repeat(40)), depth: 1 });
    breaker.observe(usage({ ...UNREPORTED, depth: 1 }));
    expect(breaker.cost.tokens).toBe(10);
  });

  it('[BUD6] counts an estimate at an unknown price as unpriced', () => {
    const breaker = new Breaker({ budget });
    breaker.observe(message('writer', 'x'.repeat(400)));
    breaker.observe(usage({ ...UNREPORTED, costUsd: null }));
    expect(breaker.cost).toMatchObject({ nanoUsd: 0, tokens: 100, unpricedTokens: 100 });
  });

  it('[BUD5] has no unpriced tokens where the price is known, be it 0', () => {
    const breaker = new Breaker();
    breaker.observe(usage({ costUsd: 0 }));
    breaker.observe(usage());
    expect(breaker.cost).toMatchObject({ nanoUsd: 1_000_000, tokens: 30, unpricedTokens: 0 });
  });

  it('[BUD7] has no tokens and is exact where it was booked by hand', async () => {
    const breaker = new Breaker();
    await breaker.trackCost(0.25);
    expect(breaker.cost).toEqual({
      nanoUsd: 250_000_000,
      tokens: 0,
      unpricedTokens: 0,
      isEstimate: false,
    });
  });

  it('[BUD2] reserves the tokens that the prompt was counted to have, be it 0', () => {
    const breaker = new Breaker({ budget });
    breaker.observe(message('writer', 'x'.repeat(4004)));
    expect(breaker.admit(modelRequest({ inputTokens: 0 }))).toMatchObject({ isAdmitted: true });
    expect(breaker.admit(modelRequest())).toMatchObject({ isAdmitted: false });
  });

  it('[BUD2] reserves for an uncounted prompt what was said at its depth', () => {
    const breaker = new Breaker({ budget });
    breaker.observe(message('writer', 'x'.repeat(4004)));
    expect(breaker.admit(modelRequest({ depth: 1 }))).toMatchObject({ isAdmitted: true });
  });
});

describe('what a judge has cost', () => {
  async function asked(costUsd: number | null): Promise<Breaker> {
    const answer = { probability: 0.1, usage: { inputTokens: 400, outputTokens: 20, costUsd } };
    const breaker = new Breaker({
      budget: { maxUsd: 0.01 },
      judge: { confirm: async () => answer, askAt: 0.1, maxQuestions: 1 },
    });
    for (let at = 0; at < 4; at++) breaker.observe(message('a', staleText(at), at));
    await breaker.conversation().answered();
    await heard();
    return breaker;
  }

  it('[JDG6] counts in the budget, and is shown on its own', async () => {
    const breaker = await asked(0.25);
    const cost = { nanoUsd: 250_000_000, tokens: 420, unpricedTokens: 0, isEstimate: false };
    expect(breaker.judged).toEqual({ questions: 1, cost });
    expect(breaker.cost).toEqual(cost);
    expect(breaker.conversation().trip).toMatchObject({ kind: 'budget', agents: ['judge'] });
  });

  it('[JDG6] counts in tokens alone where its price is unknown', async () => {
    const breaker = await asked(null);
    const cost = { nanoUsd: 0, tokens: 420, unpricedTokens: 420, isEstimate: false };
    expect(breaker.judged.cost).toEqual(cost);
    expect(breaker.conversation().trip).toBeUndefined();
  });

  it('[SNP3] is in a snapshot', async () => {
    const first = await asked(null);
    const second = new Breaker({ judge: () => false });
    second.restore(JSON.parse(JSON.stringify(first.snapshot())));
    expect(second.judged.cost).toEqual(first.judged.cost);
    expect(second.cost).toEqual(first.cost);
  });
});

describe('a snapshot of what was spent', () => {
  it('[SNP2] holds how long the next prompt is', () => {
    const contextWindow = { maxContextTokens: 100 };
    const first = new Breaker({ contextWindow });
    first.observe(message('a', 'x'.repeat(500)));
    const second = new Breaker({ contextWindow });
    second.restore(JSON.parse(JSON.stringify(first.snapshot())));
    expect(second.admit(modelRequest())).toMatchObject({ isAdmitted: false });
  });

  it('[SNP2] can be taken over by a breaker that limits what the first one did not', () => {
    const first = new Breaker();
    first.observe(message('a', 'x'.repeat(500)));
    first.observe(usage());
    const second = new Breaker({ budget, contextWindow: { maxContextTokens: 100 } });
    second.restore(JSON.parse(JSON.stringify(first.snapshot())));
    expect(second.cost).toEqual(first.cost);
    expect(second.admit(modelRequest())).toMatchObject({ isAdmitted: true });
  });

  it('[SNP3] leaves the books alone that are kept elsewhere, in either direction', () => {
    const store = new MemoryBudgetStore();
    const own = new Breaker({ budget: { ...budget, store } });
    own.observe(usage());
    const memory = new Breaker({ budget });
    memory.observe(usage({ inputTokens: 990 }));
    const [ofOwn, ofMemory] = [own.snapshot(), memory.snapshot()];
    memory.restore(ofOwn);
    expect(memory.admit(modelRequest({ inputTokens: 6 }))).toMatchObject({ isAdmitted: false });
    own.restore(ofMemory);
    expect(store.totals().spent.tokens).toBe(15);
  });

  it.each([
    ['spend.total', { total: { nanoUsd: -1 } }],
    ['spend.judge', { judge: null }],
  ])('[SNP5] is refused when %s is wrong, and the spend stays as it is', (field, part) => {
    const breaker = new Breaker({ budget });
    breaker.observe(usage());
    const before = breaker.snapshot();
    const spend = { ...(new Breaker({ budget }).snapshot().spend as object), ...part };
    expect(() => breaker.restore({ ...before, spend })).toThrow(
      expect.objectContaining({
        name: InvalidSnapshotError.name,
        field: expect.stringContaining(field),
      }),
    );
    expect(breaker.snapshot()).toEqual(before);
  });

  it('[SNP5] of a conversation is refused unless it is an object', () => {
    const breaker = new Breaker({ budget });
    const broken = withMain(breaker.snapshot(), (main) => ({ ...main, spend: [] }));
    expect(() => breaker.restore(broken)).toThrow(expect.objectContaining({ field: 'spend' }));
  });
});
