import { describe, expect, it } from 'vitest';
import { Budget } from '../../src/budget/budget.ts';
import { Reservations } from '../../src/budget/calls/reservations.ts';
import { Breaker, type BudgetOptions } from '../../src/index.ts';
import type { JsonValue } from '../../src/kit.ts';
import { message, modelRequest, usage, withMain } from '../support/signals.ts';

const MOST = 65_536;
const HOUR = 3_600_000;

function ask(breaker: Breaker, requestId: string, conversation = ''): boolean {
  const request = modelRequest({ requestId, inputTokens: 1 });
  const admission = breaker.conversation(conversation).admit(request);
  if (admission instanceof Promise) throw new Error('a store in memory answers at once');
  return admission.isAdmitted;
}

function spendOf(breaker: Breaker): Record<string, JsonValue> {
  return JSON.parse(JSON.stringify(breaker.snapshot().spend));
}

const CALL = {
  conversation: 'own',
  run: 0,
  agent: 'writer',
  model: 'm',
  usageKey: 'agent:writer',
  amount: { nanoUsd: 1, tokens: 1 },
  usualNanoUsd: () => 1,
  discount: 0,
  isPriced: false,
  isCounted: true,
  isUnpriced: false,
  isWrapUp: false,
};

/** A budget with as many reservations of one conversation as it keeps track of: three. */
function crowded() {
  const clock = { now: 0 };
  const budget = new Budget({ maxTokens: 100 }, () => clock.now, undefined, 3);
  const all = [1, 2, 3].map(() => granted(budget));
  return { budget, clock, all };
}

/** The reservation of a call, if it gets one. */
function granted(budget: Budget, conversation = 'own') {
  const answer = budget.reserve({ ...CALL, conversation });
  if (answer instanceof Promise) throw new Error('a store in memory answers at once');
  return answer?.reservation;
}

describe('the reservations of one conversation', () => {
  it('[BUD23] may be 65,536', () => {
    const reservations = new Reservations(HOUR);
    for (let i = 0; i < MOST; i++) {
      if (i === MOST - 1) expect(reservations.isFull('own')).toBe(false);
      reservations.begin(CALL, [''], 0);
    }
    expect([reservations.isFull('own'), reservations.isFull('other')]).toEqual([true, false]);
  });

  it('[BUD23] are all known, and one too many is refused with nothing reserved for it', () => {
    const { budget, all } = crowded();
    expect(budget.reserve(CALL)).toMatchObject({
      finding: {
        kind: 'budget',
        reason: expect.stringContaining('this conversation has 3 model calls under way'),
      },
      waitsFor: [],
    });
    expect(budget.ledger.memory?.totals().reserved.tokens).toBe(3);
    for (const reservation of all) {
      expect(budget.reservations.closeFor({ conversation: 'own', usageKey: CALL.usageKey })).toBe(
        reservation,
      );
    }
  });

  it('[BUD23] make room for another one when one ends, or expires', () => {
    const { budget, clock, all } = crowded();
    budget.settle(all[1], CALL, CALL.amount);
    expect(granted(budget)).toBeDefined();
    expect(granted(budget)).toBeUndefined();
    clock.now = HOUR;
    expect(granted(budget)).toBeDefined();
  });

  it('[BUD23] leave room for those of others', () => {
    expect(granted(crowded().budget, 'other')).toBeDefined();
  });

  it.each<[string, BudgetOptions]>([
    ['nothing is reserved', {}],
    ['they have expired', { maxTokens: 1_000_000, reservationMs: 1 }],
  ])('[BUD23] are kept to the latest 4,096 where %s', (_, budget) => {
    let now = 0;
    const breaker = new Breaker({ budget, now: () => now });
    for (let i = 0; i < 5000; i++) {
      now += 5;
      ask(breaker, `${i}`);
    }
    // One more is asked for, and the last one of these may not have expired yet.
    const known = spendOf(breaker).reservations as readonly { readonly key: string }[];
    expect([4096, 4097]).toContain(known.length);
    expect(known[0]?.key).toBe(`request:${5000 - known.length}`);
  });
});

describe('the usage of a call whose reservation has expired', () => {
  it('[BUD18] counts as it was reserved all the same where nothing is reported', () => {
    let now = 0;
    const breaker = new Breaker({ budget: { maxUsd: 9, reservationMs: 1000 }, now: () => now });
    breaker.admit(modelRequest({ requestId: 'late', estimatedCostUsd: 0.5 }));
    now = 1000;
    ask(breaker, 'another');
    breaker.observe(usage({ requestId: 'late', inputTokens: 0, outputTokens: 0, costUsd: null }));
    expect(breaker.cost).toMatchObject({ nanoUsd: 500_000_000, isEstimate: true });
  });
});

describe('a snapshot of reservations', () => {
  it('[SNP2] settles a call in the purses in which it was reserved', () => {
    const budget = { maxTokens: 1000, models: { small: { maxTokens: 50 } } };
    const first = new Breaker({ budget });
    first.admit(modelRequest({ requestId: 'r', model: 'small', inputTokens: 30 }));
    const second = new Breaker({ budget });
    second.restore(JSON.parse(JSON.stringify(first.snapshot())));
    expect(second.snapshot()).toEqual(first.snapshot());
    const late = usage({ requestId: 'r', model: 'small-2026', inputTokens: 60, outputTokens: 0 });
    expect(second.observe(late)).toMatchObject({ evidence: { purse: 'model:small' } });
  });

  it('[BUD21] releases those that were made before its trip once that is over, in every conversation', () => {
    let now = 0;
    const options = { budget: { maxTokens: 500 }, contextWindow: { maxContextTokens: 100 } };
    const timed = { ...options, cooldownMs: 10, now: () => now };
    const first = new Breaker(timed);
    for (const id of ['', 'other']) {
      const conversation = first.conversation(id);
      conversation.admit(modelRequest({ requestId: 'lost', inputTokens: 60 }));
      conversation.admit(modelRequest({ inputTokens: 101 }));
    }
    const second = new Breaker(timed);
    second.restore(JSON.parse(JSON.stringify(first.snapshot())));
    now = 10;
    for (const id of ['', 'other']) {
      const conversation = second.conversation(id);
      conversation.admit(modelRequest({ requestId: 'probe', at: now, inputTokens: 7 }));
      conversation.observe(message('writer', 'The third chapter is about 17 whales.', now));
      expect(conversation.state.status).toBe('closed');
    }
    expect(spendOf(second).reservations).toMatchObject([
      { key: 'request:probe' },
      { key: 'request:probe' },
    ]);
  });

  it('[BUD21] that is closed keeps its reservations, whatever the circuit was before', () => {
    let now = 0;
    const options = { budget: { maxTokens: 500 }, contextWindow: { maxContextTokens: 100 } };
    const breaker = new Breaker({ ...options, cooldownMs: 10, now: () => now });
    breaker.admit(modelRequest({ requestId: 'made', inputTokens: 60 }));
    const snapshot = breaker.snapshot();
    breaker.admit(modelRequest({ inputTokens: 101 }));
    now = 10;
    breaker.admit(modelRequest({ requestId: 'probe', at: now, inputTokens: 7 }));
    breaker.restore(snapshot);
    expect(spendOf(breaker).reservations).toMatchObject([{ key: 'request:made' }]);
  });

  it('[SNP5] that is refused leaves it as it was which of them came before a trip', () => {
    let now = 0;
    const options = { budget: { maxTokens: 500 }, contextWindow: { maxContextTokens: 100 } };
    const breaker = new Breaker({ ...options, cooldownMs: 10, now: () => now });
    breaker.admit(modelRequest({ requestId: 'made', inputTokens: 60 }));
    breaker.admit(modelRequest({ inputTokens: 101 }));
    now = 10;
    breaker.admit(modelRequest({ requestId: 'probe', at: now, inputTokens: 7 }));
    const broken = withMain(breaker.snapshot(), (main) => ({ ...main, nextIndex: -1 }));
    expect(() => breaker.restore(broken)).toThrow('nextIndex');
    breaker.observe(message('writer', 'The third chapter is about 17 whales.', now));
    expect(breaker.conversation('').state.status).toBe('closed');
    expect(spendOf(breaker).reservations).toMatchObject([{ key: 'request:probe' }]);
  });

  it.each<[string, unknown, string]>([
    ['id', 7, 'spend.reservations[0].id'],
    ['run', -1, 'spend.reservations[0].run'],
    ['purses', [1], 'spend.reservations[0].purses[0]'],
    ['amount', { nanoUsd: -1, tokens: 0 }, 'spend.reservations[0].amount.nanoUsd'],
  ])('[SNP6] is refused where a reservation has a wrong %s', (name, wrong, field) => {
    const breaker = new Breaker({ budget: { maxTokens: 100 } });
    ask(breaker, 'r');
    const spend = spendOf(breaker);
    const [one] = spend.reservations as [object];
    const broken = { ...spend, reservations: [{ ...one, [name]: wrong }] };
    expect(() => breaker.restore({ ...breaker.snapshot(), spend: broken })).toThrow(
      expect.objectContaining({ field }),
    );
  });
});
