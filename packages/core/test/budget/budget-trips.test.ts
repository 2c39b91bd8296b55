import { describe, expect, it } from 'vitest';
import { Breaker, type BudgetStore, MemoryBudgetStore, type Trip } from '../../src/index.ts';
import { message, modelRequest, usage } from '../support/signals.ts';

function refusal(breaker: Breaker, fields: Parameters<typeof modelRequest>[0]): Trip | undefined {
  const answer = breaker.admit(modelRequest(fields));
  if (answer instanceof Promise) throw new Error('expected an answer at once');
  return answer.isAdmitted ? undefined : answer.trip;
}

describe('a call without an estimate', () => {
  it('[BUD13] is refused once the dollars are used up', () => {
    const left = new Breaker({ budget: { maxUsd: 1, spentUsd: 0.999_999_999 } });
    expect(refusal(left, {})).toBeUndefined();
    const usedUp = new Breaker({ budget: { maxUsd: 1, spentUsd: 1 } });
    expect(refusal(usedUp, {})).toMatchObject({
      kind: 'budget',
      reason: 'the budget of $1.00 is used up: $1.00 spent',
      evidence: { count: 1_000_000_001, limit: 1_000_000_000, subject: 'nano-dollars' },
    });
  });

  it('[BUD13] is refused once the tokens are used up', () => {
    const breaker = new Breaker({ budget: { maxTokens: 16 } });
    breaker.observe(usage());
    expect(refusal(breaker, { requestId: 'last' })).toBeUndefined();
    breaker.observe(usage({ requestId: 'last', inputTokens: 1, outputTokens: 0 }));
    expect(refusal(breaker, {})?.reason).toBe(
      'the budget of 16 tokens is used up: 16 tokens spent',
    );
  });
});

describe('the reason of a budget trip', () => {
  it('[BUD15] says what was spent, what other calls hold and what this one needs, in dollars', () => {
    const breaker = new Breaker({ budget: { maxUsd: 10, spentUsd: 9.9 } });
    for (const requestId of ['a', 'b']) refusal(breaker, { requestId, estimatedCostUsd: 0.04 });
    expect(refusal(breaker, { requestId: 'c', estimatedCostUsd: 0.04 })).toMatchObject({
      reason:
        'the next call would exceed the budget ($10.00): $9.90 spent, $0.08 reserved for 2 other calls, $0.04 needed',
      agents: ['writer'],
      evidence: { count: 10_020_000_000, limit: 10_000_000_000, subject: 'nano-dollars' },
    });
  });

  it('[BUD15] says what one other call holds where nobody knows what this one needs', () => {
    const breaker = new Breaker({ budget: { maxUsd: 1 } });
    refusal(breaker, { requestId: 'a', estimatedCostUsd: 1 });
    expect(refusal(breaker, { requestId: 'b' })).toMatchObject({
      reason:
        'the next call would exceed the budget ($1.00): $0.00 spent, $1.00 reserved for 1 other call',
    });
  });

  it('[BUD15] counts no calls where those of other breakers are among them', () => {
    const store = new MemoryBudgetStore();
    const [here, there] = [0, 1].map(() => new Breaker({ budget: { maxUsd: 1, store } }));
    for (const breaker of [here, there]) {
      refusal(breaker as Breaker, { requestId: 'a', estimatedCostUsd: 0.4 });
    }
    expect(refusal(here as Breaker, { requestId: 'b', estimatedCostUsd: 0.4 })).toMatchObject({
      reason:
        'the next call would exceed the budget ($1.00): $0.00 spent, $0.80 reserved for other calls, $0.40 needed',
    });
  });

  it('[BUD15] says it in tokens where the dollars suffice', () => {
    const breaker = new Breaker({ budget: { maxUsd: 1, maxTokens: 100 } });
    breaker.observe(usage({ costUsd: 0.9 }));
    const call = { estimatedCostUsd: 0.1, inputTokens: 80, maxOutputTokens: 6 };
    expect(refusal(breaker, call)).toMatchObject({
      reason:
        'the next call would exceed the budget (100 tokens): 15 tokens spent, 86 tokens needed',
      evidence: { count: 101, limit: 100, subject: 'tokens' },
    });
  });

  it('[BUD15] says that the budget is used up once more is spent than it holds', () => {
    const dollars = new Breaker({ budget: { maxUsd: 0.5 } });
    expect(dollars.observe(usage({ costUsd: 0.75 }))).toMatchObject({
      reason: 'the budget of $0.50 is used up: $0.75 spent',
      agents: ['writer'],
      evidence: { count: 750_000_000, limit: 500_000_000, subject: 'nano-dollars' },
    });
    const tokens = new Breaker({ budget: { maxUsd: 0.001, maxTokens: 14 } });
    expect(tokens.observe(usage())).toMatchObject({
      reason: 'the budget of 14 tokens is used up: 15 tokens spent',
      evidence: { count: 15, limit: 14, subject: 'tokens' },
    });
  });

  it('[BUD15] names the model without a price, and what was spent apart from it', () => {
    const breaker = new Breaker({ budget: { maxUsd: 5, spentUsd: 2 } });
    expect(breaker.observe(usage({ costUsd: null }))).toMatchObject({
      reason:
        "the price of model 'm' is unknown, so a budget of $5.00 cannot be enforced: set its price (prices), name a model with a known price (models), or limit tokens (budget.maxTokens)",
      agents: ['writer'],
      evidence: { count: 2_000_000_000, limit: 5_000_000_000, subject: 'nano-dollars' },
    });
  });

  it('[BUD7] names no agent where money that was booked by hand has none', async () => {
    const breaker = new Breaker({ budget: { maxUsd: 1 }, now: () => 42 });
    expect(await breaker.trackCost(1.5)).toMatchObject({ agents: [], at: 42, index: 0 });
  });
});

describe('a call without a known price', () => {
  it('[BUD5] is refused before it is made where that is known, unless tokens are limited too', () => {
    const unpriced = modelRequest({ model: 'own', inputTokens: 5, estimatedCostUsd: null });
    const dollars = new Breaker({ budget: { maxUsd: 5 } });
    expect(dollars.admit(unpriced)).toMatchObject({ isAdmitted: false });
    expect(dollars.conversation().trip?.reason).toContain("the price of model 'own' is unknown");
    const agent = new Breaker({ budget: { agents: { [unpriced.agent]: { maxUsd: 2 } } } });
    expect(agent.admit(unpriced)).toMatchObject({ isAdmitted: false });
    expect(agent.conversation().trip?.reason).toContain('a budget of $2.00 cannot be enforced');
    const both = new Breaker({ budget: { maxUsd: 5, maxTokens: 10 } });
    expect(both.admit(unpriced)).toMatchObject({ isAdmitted: true });
    expect(new Breaker().admit(unpriced)).toMatchObject({ isAdmitted: true });
  });

  it('[BUD5] trips no budget of dollars when it used no tokens, such as one that failed', () => {
    const breaker = new Breaker({ budget: { maxUsd: 5 } });
    const nothing = { inputTokens: 0, outputTokens: 0, costUsd: null };
    breaker.observe(message('writer', 'Some words before the call that fails.'));
    expect(breaker.observe(usage({ ...nothing, error: { message: 'down' } }))).toBeUndefined();
  });

  it.each([undefined, { maxTokens: 100 }])(
    '[BUD5] passes where dollars are not limited: %j',
    (budget) => {
      const breaker = new Breaker({ ...(budget && { budget }) });
      expect(breaker.observe(usage({ costUsd: null }))).toBeUndefined();
      expect(breaker.cost).toMatchObject({ nanoUsd: 0, tokens: 15, unpricedTokens: 15 });
    },
  );
});

describe('what a call is known by', () => {
  it('[BUD14] is a name of the breaker: a second call of the same id has a reservation of its own', () => {
    const breaker = new Breaker({ budget: { maxTokens: 100 } });
    const call = { requestId: 'r', inputTokens: 60 };
    expect(refusal(breaker, call)).toBeUndefined();
    expect(refusal(breaker, call)?.kind).toBe('budget');
  });

  it('[BUD14] is not its agent: fifty calls of $0.90 at once, without ids, are one on $1.00', () => {
    const breaker = new Breaker({ budget: { maxUsd: 1 }, reaction: 'observe' });
    const refusals: unknown[] = [];
    breaker.on('finding', ({ finding }) => refusals.push(finding));
    for (let i = 0; i < 50; i++) breaker.admit(modelRequest({ estimatedCostUsd: 0.9 }));
    expect(refusals).toHaveLength(49);
  });

  it('[BUD14] settles the oldest of the calls with an equal id', () => {
    const breaker = new Breaker({ budget: { maxTokens: 100 } });
    expect(refusal(breaker, { inputTokens: 60 })).toBeUndefined();
    expect(refusal(breaker, { inputTokens: 30 })).toBeUndefined();
    breaker.observe(usage({ inputTokens: 10, outputTokens: 0 }));
    expect(refusal(breaker, { inputTokens: 60 })).toBeUndefined();
    expect(refusal(breaker, { inputTokens: 1 })?.kind).toBe('budget');
  });

  it('[BUD14] distinguishes a request id from an agent of the same name', () => {
    const breaker = new Breaker({ budget: { maxTokens: 100 } });
    expect(refusal(breaker, { agent: 'writer', inputTokens: 60 })).toBeUndefined();
    expect(refusal(breaker, { requestId: 'writer', inputTokens: 60 })?.kind).toBe('budget');
  });

  it('[BUD14] is no id of another breaker with the same store, be its requests called the same', () => {
    const store = new MemoryBudgetStore();
    const [one, other] = [0, 1].map(() => new Breaker({ budget: { maxTokens: 100, store } })) as [
      Breaker,
      Breaker,
    ];
    expect(refusal(one, { requestId: 'r', inputTokens: 60 })).toBeUndefined();
    expect(refusal(other, { requestId: 'r', inputTokens: 40 })).toBeUndefined();
    other.observe(usage({ requestId: 'r', inputTokens: 40, outputTokens: 0 }));
    expect(store.totals()).toEqual({
      spent: { nanoUsd: 1_000_000, tokens: 40 },
      reserved: { nanoUsd: 1, tokens: 60 },
    });
  });

  it('[CNV2] is no id of another conversation', () => {
    const breaker = new Breaker({ budget: { maxTokens: 100 } });
    const [a, b] = [breaker.conversation('a'), breaker.conversation('b')];
    a.admit(modelRequest({ requestId: 'r', inputTokens: 50 }));
    b.admit(modelRequest({ requestId: 'r', inputTokens: 50 }));
    a.observe(usage({ requestId: 'r', inputTokens: 50, outputTokens: 0 }));
    expect(a.admit(modelRequest({ requestId: 'q', inputTokens: 1 }))).toMatchObject({
      isAdmitted: false,
    });
  });
});

describe('a budget without a limit', () => {
  it('[BUD16] keeps what is spent, and reserves nothing', async () => {
    const memory = new MemoryBudgetStore();
    const store: BudgetStore = {
      reserve: () => {
        throw new Error('asked');
      },
      settle: (...args) => memory.settle(...args),
      totals: () => memory.totals(),
    };
    const breaker = new Breaker({ budget: { store } });
    expect(await breaker.admit(modelRequest())).toMatchObject({ isAdmitted: true });
    breaker.observe(usage());
    expect(memory.totals().spent.tokens).toBe(15);
  });
});
