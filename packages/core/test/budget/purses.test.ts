import { describe, expect, it } from 'vitest';
import {
  Breaker,
  type BreakerOptions,
  type BudgetStore,
  InvalidOptionError,
  MemoryBudgetStore,
  type Trip,
} from '../../src/index.ts';
import { modelRequest, usage } from '../support/signals.ts';

type Budget = NonNullable<BreakerOptions['budget']>;
type Call = Parameters<typeof modelRequest>[0];

function refusal(breaker: Pick<Breaker, 'admit'>, fields: Call): Trip | undefined {
  const answer = breaker.admit(modelRequest(fields));
  if (answer instanceof Promise) throw new Error('expected an answer at once');
  return answer.isAdmitted ? undefined : answer.trip;
}

describe('a purse', () => {
  const dear = { estimatedCostUsd: 0.75 };

  it.each<[string, Budget, Call, Call, string]>([
    [
      'each agent',
      { perAgent: { maxUsd: 1 } },
      { agent: 'critic' },
      { agent: 'writer' },
      'agent:critic',
    ],
    [
      'one agent',
      { agents: { critic: { maxUsd: 1 } } },
      { agent: 'critic' },
      { agent: 'writer' },
      'agent:critic',
    ],
    [
      'each model',
      { perModel: { maxUsd: 1 } },
      { model: 'dear' },
      { model: 'cheap' },
      'model:dear',
    ],
    [
      'one model',
      { models: { dear: { maxUsd: 1 } } },
      { model: 'dear' },
      { model: 'cheap' },
      'model:dear',
    ],
    ['each user', { perUser: { maxUsd: 1 } }, { user: 'ann' }, { user: 'bob' }, 'user:ann'],
    ['one user', { users: { ann: { maxUsd: 1 } } }, { user: 'ann' }, { user: 'bob' }, 'user:ann'],
    ['each key', { perKey: { maxUsd: 1 } }, { key: 'sales' }, { key: 'law' }, 'key:sales'],
    ['one key', { keys: { sales: { maxUsd: 1 } } }, { key: 'sales' }, { key: 'law' }, 'key:sales'],
  ])(
    '[PUR1] of %s refuses what does not fit it, and names itself',
    (_, budget, own, other, purse) => {
      const breaker = new Breaker({ budget: { maxUsd: 9, ...budget } });
      expect(refusal(breaker, { ...own, ...dear })).toBeUndefined();
      expect(refusal(breaker, { ...other, ...dear })).toBeUndefined();
      expect(refusal(breaker, { ...own, ...dear })).toMatchObject({
        kind: 'budget',
        reason: expect.stringContaining(purse.replace(/:(.*)/, " '$1'")),
        evidence: { purse, limit: 1_000_000_000, count: 1_500_000_000 },
      });
    },
  );

  it('[PUR1] of a conversation binds that one alone', () => {
    const breaker = new Breaker({ budget: { maxUsd: 9, perConversation: { maxUsd: 1 } } });
    const [a, b] = [breaker.conversation('a'), breaker.conversation('b')];
    expect(refusal(a, dear)).toBeUndefined();
    expect(refusal(b, dear)).toBeUndefined();
    expect(refusal(a, dear)).toMatchObject({
      reason: expect.stringContaining('the budget of this conversation'),
      evidence: { purse: 'conversation' },
    });
    expect(b.trip).toBeUndefined();
  });

  it('[PUR1] of its own takes the place of the common one, limit by limit', () => {
    const budget = { perAgent: { maxUsd: 1, maxTokens: 50 }, agents: { critic: { maxUsd: 2 } } };
    const breaker = new Breaker({ budget });
    const call = { agent: 'critic', estimatedCostUsd: 1.5, inputTokens: 40 };
    expect(refusal(breaker, call)).toBeUndefined();
    expect(
      refusal(breaker, { agent: 'critic', estimatedCostUsd: 0, inputTokens: 20 }),
    ).toMatchObject({ evidence: { subject: 'tokens', limit: 50 } });
  });

  it('[PUR1] is none where a name only looks like one', () => {
    const breaker = new Breaker({ budget: { agents: { critic: { maxUsd: 1 } } } });
    for (const agent of ['toString', '__proto__', 'constructor']) {
      expect(refusal(breaker, { agent, estimatedCostUsd: 5 })).toBeUndefined();
    }
  });

  it('[PUR2] that refuses leaves nothing held in the others', () => {
    const store = new MemoryBudgetStore();
    const budget = { maxUsd: 9, perModel: { maxUsd: 9 }, agents: { critic: { maxUsd: 1 } }, store };
    const breaker = new Breaker({ budget });
    expect(refusal(breaker, { agent: 'critic', model: 'm', estimatedCostUsd: 2 })?.kind).toBe(
      'budget',
    );
    const none = { nanoUsd: 0, tokens: 0 };
    const empty = { spent: none, reserved: none };
    expect(store.totals(['agent:critic', 'model:m'])).toEqual({ ...empty, purses: [empty, empty] });
  });

  it('[PUR2] is paid with the others when the call has ended, under the name it was reserved for', () => {
    const store = new MemoryBudgetStore();
    const breaker = new Breaker({
      budget: { perAgent: { maxUsd: 9 }, perModel: { maxUsd: 9 }, store },
    });
    refusal(breaker, { agent: 'critic', model: 'm', requestId: 'r', estimatedCostUsd: 2 });
    breaker.observe(usage({ agent: 'critic', model: 'm-2026', requestId: 'r', costUsd: 0.5 }));
    const paid = {
      spent: { nanoUsd: 500_000_000, tokens: 15 },
      reserved: { nanoUsd: 0, tokens: 0 },
    };
    expect(store.totals(['agent:critic', 'model:m'])).toEqual({ ...paid, purses: [paid, paid] });
  });

  it('[PUR2] trips when a call has cost more than it holds', () => {
    const breaker = new Breaker({ budget: { agents: { critic: { maxUsd: 1 } } } });
    expect(breaker.observe(usage({ agent: 'writer', costUsd: 5 }))).toBeUndefined();
    expect(breaker.observe(usage({ agent: 'critic', costUsd: 1.5 }))).toMatchObject({
      reason: "the budget of agent 'critic' ($1.00) is used up: $1.50 spent",
      evidence: { purse: 'agent:critic' },
    });
  });

  it('[PUR2] that a store does not keep refuses the call, and says so', async () => {
    const memory = new MemoryBudgetStore();
    const store: BudgetStore = {
      reserve: (id, amount, limits) => memory.reserve(id, amount, limits),
      settle: (id, actual) => memory.settle(id, actual),
      totals: () => memory.totals(),
    };
    const breaker = new Breaker({ budget: { perAgent: { maxUsd: 1 }, store } });
    await expect(breaker.admit(modelRequest({ estimatedCostUsd: 0.1 }))).rejects.toThrow(
      'returned totals for 0 of 1 purses',
    );
  });

  it('[PUR3] of a conversation begins afresh with its reset and with its next run', () => {
    const breaker = new Breaker({ budget: { maxUsd: 3, perConversation: { maxUsd: 1 } } });
    breaker.observe(usage({ costUsd: 0.75 }));
    breaker.conversation().beginRun();
    expect(refusal(breaker, dear)).toBeUndefined();
    breaker.observe(usage({ costUsd: 0.75 }));
    expect(refusal(breaker, dear)?.kind).toBe('budget');
    breaker.reset();
    expect(refusal(breaker, dear)).toBeUndefined();
    breaker.observe(usage({ costUsd: 0.75 }));
    breaker.reset();
    expect(refusal(breaker, { estimatedCostUsd: 0.9 })?.evidence).not.toHaveProperty('purse');
  });

  it('[PUR3] of a conversation begins afresh, also where the conversation was forgotten meanwhile', () => {
    const breaker = new Breaker({ budget: { maxUsd: 9, perConversation: { maxUsd: 1 } } });
    const spend = (): string | undefined => {
      const chat = breaker.conversation('chat');
      chat.beginRun();
      const found = refusal(chat, dear);
      chat.observe(usage({ costUsd: 0.75 }));
      return found?.kind;
    };
    const found = [spend(), spend()];
    for (let i = 0; i <= 1_000; i++) breaker.conversation(`other ${i}`);
    expect([...found, spend()]).toEqual([undefined, undefined, undefined]);
  });

  it('[PUR3] of a conversation without runs is known again where it was forgotten', () => {
    const breaker = new Breaker({ budget: { maxUsd: 9, perConversation: { maxUsd: 1 } } });
    breaker.conversation('chat').observe(usage({ costUsd: 0.75 }));
    for (let i = 0; i <= 1_000; i++) breaker.conversation(`other ${i}`);
    expect(refusal(breaker.conversation('chat'), dear)?.evidence.purse).toBe('conversation');
  });

  it('[PUR3] of a conversation pays for a call that was begun in it, also in its next run', () => {
    const store = new MemoryBudgetStore();
    const breaker = new Breaker({ budget: { perConversation: { maxUsd: 1 }, store } });
    const call = { requestId: 'old', estimatedCostUsd: 0.75 };
    expect(refusal(breaker, call)).toBeUndefined();
    breaker.conversation().beginRun();
    breaker.observe(usage({ requestId: 'old', costUsd: 0.75 }));
    expect(refusal(breaker, { estimatedCostUsd: 1 })).toBeUndefined();
    expect(store.totals().spent.nanoUsd).toBe(750_000_000);
  });

  it('[PUR3] lives on in a snapshot', () => {
    const options = { budget: { perConversation: { maxUsd: 1 }, perAgent: { maxTokens: 40 } } };
    const first = new Breaker(options);
    first.observe(usage({ agent: 'critic', costUsd: 0.75 }));
    const second = new Breaker(options);
    second.restore(JSON.parse(JSON.stringify(first.snapshot())));
    expect(second.snapshot()).toEqual(first.snapshot());
    expect(refusal(second, dear)).toMatchObject({ evidence: { purse: 'conversation' } });
  });

  it('[PUR4] can be raised by name, and conversations that it has stopped go on', () => {
    const breaker = new Breaker({ budget: { perAgent: { maxUsd: 1 } } });
    breaker.observe(usage({ agent: 'critic', costUsd: 2 }));
    expect(breaker.conversation().trip?.kind).toBe('budget');
    breaker.raise({ agents: { critic: { maxUsd: 3 } } });
    expect(breaker.conversation().trip).toBeUndefined();
    expect(refusal(breaker, { agent: 'critic', ...dear })).toBeUndefined();
    expect(refusal(breaker, { agent: 'writer', estimatedCostUsd: 2 })?.kind).toBe('budget');
  });

  it.each<[string, Budget]>([
    ['the whole budget', { maxUsd: 1 }],
    ['an agent', { perAgent: { maxUsd: 1 } }],
    ['a conversation', { perConversation: { maxUsd: 1 } }],
  ])('[PUR7] of %s tells when its window leaves room, and asking changes nothing', (_, limits) => {
    let now = 0;
    const budget = { ...limits, windowMs: 60_000 };
    const chat = new Breaker({ budget, cooldownMs: 0, now: () => now }).conversation('chat');
    chat.trackCost(0.9, 'writer');
    now = 50_000;
    const trip = refusal(chat, { at: now, estimatedCostUsd: 0.5 });
    const before = chat.parts.spend.budget.ledger.memory?.snapshot();
    expect(trip && chat.retryInMs(trip)).toBe(10_000);
    expect(chat.parts.spend.budget.ledger.memory?.snapshot()).toEqual(before);
  });

  it('[PUR5] is forgotten beyond 10,000 of them, the whole budget is not', () => {
    const store = new MemoryBudgetStore();
    for (let i = 0; i <= 10_000; i++)
      store.settle(undefined, { nanoUsd: 1, tokens: 1 }, [`agent:${i}`]);
    const { spent, purses = [] } = store.totals(['agent:10000', 'agent:0']);
    expect(spent.tokens).toBe(10_001);
    expect(purses.map((purse) => purse.spent.tokens)).toEqual([1, 0]);
  });

  it('[PUR5] in which something was spent outlives any number in which nothing was', () => {
    const store = new MemoryBudgetStore();
    const call = (id: string, tokens: number, names: readonly string[]): void => {
      const purses = names.map((name) => ({ name, tokens: 10 }));
      store.reserve(id, { nanoUsd: 0, tokens: 5 }, {}, purses);
      store.settle(id, { nanoUsd: 0, tokens }, names);
    };
    call('real', 7, ['key:real', 'user:real']);
    for (let i = 0; i < 100_000; i++) call(`${i}`, 0, [`key:${i}`, `user:${i}`]);
    expect(
      store.totals(['key:real', 'user:real']).purses?.map(({ spent }) => spent.tokens),
    ).toEqual([7, 7]);
  });

  it('[PUR5] that is new is kept where something was spent in all of 10,000 others', () => {
    const store = new MemoryBudgetStore();
    for (let i = 0; i < 10_000; i++) {
      store.settle(undefined, { nanoUsd: 0, tokens: 1 }, [`user:${i}`]);
    }
    const names = ['key:new', 'user:new', 'team:new'];
    store.settle(undefined, { nanoUsd: 0, tokens: 3 }, names);
    expect(store.totals(names).purses?.map(({ spent }) => spent.tokens)).toEqual([3, 3, 3]);
    expect(store.totals(['user:9999']).purses?.[0]?.spent.tokens).toBe(1);
  });

  it.each([
    { agents: { critic: { maxUsd: 1 } } },
    { models: { dear: { maxUsd: 1 } } },
    { agents: { critic: { maxUsd: 9 } } },
  ])('[PUR5] that was declared is remembered after any number of others: %j', (budget) => {
    const breaker = new Breaker({ budget: { ...budget, perModel: { maxTokens: 1e9 } } });
    const critic = { agent: 'critic', model: 'dear' };
    breaker.observe(usage({ ...critic, costUsd: 0.9 }));
    if (budget.agents?.critic.maxUsd === 9) breaker.raise({ agents: { critic: { maxUsd: 1 } } });
    for (let i = 0; i <= 10_000; i++) breaker.observe(usage({ model: `m${i}` }));
    expect(refusal(breaker, { estimatedCostUsd: 0.2 })).toBeUndefined();
    expect(refusal(breaker, { ...critic, estimatedCostUsd: 0.2 })).toMatchObject({
      kind: 'budget',
    });
  });

  it('[PUR5] that was declared outlives a restart among any number of others', () => {
    const options = { isKept: (purse: string) => purse === 'user:ann' };
    const store = new MemoryBudgetStore(undefined, options);
    const names = ['user:ann', ...Array.from({ length: 10_001 }, (_, i) => `user:${i}`)];
    for (const name of names) store.settle(undefined, { nanoUsd: 0, tokens: 1 }, [name]);
    const restarted = new MemoryBudgetStore(undefined, options);
    restarted.restore(store.snapshot());
    const { purses = [] } = restarted.totals(['user:ann', 'user:10000', 'user:0']);
    expect(purses.map(({ spent }) => spent.tokens)).toEqual([1, 1, 0]);
  });

  it('[PUR5] with a reservation is remembered after any number of others', () => {
    const store = new MemoryBudgetStore();
    store.reserve('a', { nanoUsd: 5, tokens: 5 }, {}, [{ name: 'agent:busy' }]);
    for (let i = 0; i <= 20_000; i++) store.totals([`agent:${i}`]);
    store.reserve('b', { nanoUsd: 7, tokens: 7 }, {}, [{ name: 'agent:busy' }]);
    const [busy] = store.settle('a', { nanoUsd: 0, tokens: 0 }, ['agent:busy']).purses ?? [];
    expect(busy?.reserved).toEqual({ nanoUsd: 7, tokens: 7 });
  });

  it.each<[object, string]>([
    [{ perAgent: { maxUsd: -1 } }, 'budget.perAgent.maxUsd'],
    [{ perAgent: { maxUSD: 1 } }, 'budget.perAgent.maxUSD'],
    [{ perConversation: 5 }, 'budget.perConversation'],
    [{ agents: [] }, 'budget.agents'],
    [{ agents: { critic: 2 } }, 'budget.agents.critic'],
    [{ models: { m: { maxTokens: 0.5 } } }, 'budget.models.m.maxTokens'],
    [{ warnAt: 80 }, 'budget.warnAt'],
    [{ reserveUsd: 1 }, 'budget.reserveUsd'],
    [{ maxUsd: 1, reserveUsd: 2 }, 'budget.reserveUsd'],
    [{ maxTokens: 1, reserveTokens: 0.5 }, 'budget.reserveTokens'],
    [{ whenFull: 'queue' }, 'budget.whenFull'],
    [{ reservationMs: 0 }, 'budget.reservationMs'],
    [{ spentUsd: 1, store: new MemoryBudgetStore() }, 'budget.spentUsd'],
  ])('[BUD10] refuses %j and names the option', (budget, option) => {
    expect(() => new Breaker({ budget: budget as Budget })).toThrow(
      expect.objectContaining({ name: InvalidOptionError.name, option }),
    );
  });
});
