import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Breaker, type BudgetStore, MemoryBudgetStore } from '../../src/index.ts';
import { modelRequest, usage } from '../support/signals.ts';
import { HandTimers } from '../support/timers.ts';

type Failure = 'throws' | 'rejects';

/** A store whose settlements fail as long as it is told so. */
class BusyStore extends MemoryBudgetStore {
  failure: Failure | undefined;

  override settle(...args: Parameters<MemoryBudgetStore['settle']>) {
    const busy = new Error('SQLITE_BUSY');
    if (this.failure === 'throws') throw busy;
    if (this.failure === 'rejects') return Promise.reject(busy) as never;
    return super.settle(...args);
  }
}

function on(store: BudgetStore, timers = new HandTimers()): Breaker {
  const limits = { maxTokens: 100, agents: { critic: { maxTokens: 50 } } };
  const breaker = new Breaker({ budget: { ...limits, store, storeTimeoutMs: 50 }, timers });
  breaker.on('error', () => {});
  return breaker;
}

async function ask(breaker: Breaker, inputTokens: number, agent = 'writer'): Promise<boolean> {
  const request = modelRequest({ agent, requestId: 'next', inputTokens });
  return (await breaker.admit(request)).isAdmitted;
}

/** Makes a call, and reports what it took. */
async function spend(breaker: Breaker, reserved: number, taken: number, agent = 'writer') {
  await breaker.admit(modelRequest({ agent, requestId: 'r', inputTokens: reserved }));
  breaker.observe(usage({ agent, requestId: 'r', inputTokens: taken, outputTokens: 0 }));
  await new Promise(setImmediate);
}

describe('a settlement that the store has failed', () => {
  it.each<Failure>(['throws', 'rejects'])(
    '[SHR6] is made again before the next call where it %s',
    async (failure) => {
      const store = new BusyStore();
      const breaker = on(store);
      store.failure = failure;
      await spend(breaker, 10, 60);
      expect(store.totals()).toMatchObject({ spent: { tokens: 0 }, reserved: { tokens: 10 } });
      store.failure = undefined;
      expect(await ask(breaker, 40)).toBe(true);
      expect(store.totals()).toMatchObject({ spent: { tokens: 60 }, reserved: { tokens: 40 } });
    },
  );

  it('[SHR6] is made again before the next settlement', async () => {
    const store = new BusyStore();
    const breaker = on(store);
    store.failure = 'throws';
    await breaker.trackCost(0.25, 'critic');
    store.failure = undefined;
    await breaker.trackCost(0.5);
    const { spent, purses } = store.totals(['agent:critic']);
    expect(spent.nanoUsd).toBe(750_000_000);
    expect(purses?.[0]?.spent.nanoUsd).toBe(250_000_000);
  });

  it.each<[string, number, boolean]>([
    ['fits', 40, true],
    ['does not fit', 41, false],
  ])('[SHR6] counts as spent until it is booked: a call %s', async (_, tokens, isAdmitted) => {
    const store = new BusyStore();
    const breaker = on(store);
    store.failure = 'rejects';
    await spend(breaker, 10, 60);
    expect(await ask(breaker, tokens)).toBe(isAdmitted);
  });

  it('[SHR6] counts in its purse as well, and is told as spent', async () => {
    const store = new BusyStore();
    const breaker = on(store);
    store.failure = 'throws';
    await spend(breaker, 10, 40, 'critic');
    expect(await ask(breaker, 11, 'critic')).toBe(false);
    expect(breaker.conversation().trip).toMatchObject({
      reason: expect.stringContaining(
        '30 tokens spent, 10 tokens reserved for other calls, 11 tokens needed',
      ),
      evidence: { purse: 'agent:critic' },
    });
  });

  it('[SHR6] is not counted beside its own reservation', async () => {
    const store = new BusyStore();
    const breaker = on(store);
    store.failure = 'throws';
    await spend(breaker, 60, 60);
    expect(await ask(breaker, 40)).toBe(true);
  });

  it('[SHR6] lets no call pass once there are 1,000 of them, until the store takes them', async () => {
    const store = new BusyStore();
    const breaker = on(store);
    store.failure = 'throws';
    for (let i = 0; i < 1000; i++) await breaker.trackCost(0.001);
    await expect(ask(breaker, 1)).rejects.toThrow('budget store: settle failed for 1000 calls');
    store.failure = undefined;
    expect(await ask(breaker, 1)).toBe(true);
    expect(store.totals().spent.nanoUsd).toBe(1_000_000_000);
  });

  it.each<[string, boolean]>([
    ['is booked once where its answer comes late', true],
    ['is made again where it fails late', false],
  ])('[SHR6] %s', async (_, isBooked) => {
    const memory = new MemoryBudgetStore();
    const answers: (() => void)[] = [];
    let isLate = true;
    const timers = new HandTimers();
    const breaker = on(
      {
        reserve: (...args) => memory.reserve(...args),
        settle: (...args) => {
          if (!isLate) return memory.settle(...args);
          return new Promise((resolve, reject) => {
            answers.push(() =>
              isBooked ? resolve(memory.settle(...args)) : reject(new Error('gone')),
            );
          });
        },
        totals: (...args) => memory.totals(...args),
      },
      timers,
    );
    await spend(breaker, 10, 60);
    timers.ring();
    await new Promise(setImmediate);
    isLate = false;
    for (const answer of answers) answer();
    await new Promise(setImmediate);
    expect(await ask(breaker, 40)).toBe(true);
    expect(memory.totals().spent.tokens).toBe(60);
  });

  it('[SHR6] that hangs when it is made again holds up no call beyond storeTimeoutMs', async () => {
    const memory = new BusyStore();
    const timers = new HandTimers();
    let isHanging = false;
    const breaker = on(
      {
        reserve: (...args) => memory.reserve(...args),
        settle: (...args) => (isHanging ? new Promise(() => {}) : memory.settle(...args)),
        totals: (...args) => memory.totals(...args),
      },
      timers,
    );
    memory.failure = 'throws';
    await spend(breaker, 10, 20);
    isHanging = true;
    const asked = ask(breaker, 1);
    await Promise.resolve();
    timers.ring();
    await expect(asked).rejects.toThrow('reserve did not answer within 50 ms');
    expect(await ask(breaker, 1)).toBe(true);
  });

  it('[SHR6] is booked once each, however often the store fails', async () => {
    const fate = fc.constantFrom<Failure | undefined>('throws', 'rejects', undefined);
    const calls = fc.array(fc.tuple(fc.nat(5), fc.nat(9), fate), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(calls, async (all) => {
        const store = new BusyStore();
        const budget = { maxTokens: 1_000_000, store };
        const breaker = new Breaker({ budget });
        breaker.on('error', () => {});
        for (const [reserved, taken, failure] of all) {
          store.failure = failure;
          await spend(breaker, reserved + 1, taken + 1);
        }
        store.failure = undefined;
        await breaker.trackCost(0);
        await new Promise(setImmediate);
        const sum = all.reduce((tokens, [, taken]) => tokens + taken + 1, 0);
        expect(store.totals()).toMatchObject({ spent: { tokens: sum }, reserved: { tokens: 0 } });
      }),
      { numRuns: 100 },
    );
  });
});

describe('what a store has failed to book', () => {
  /** A breaker with 50 tokens that are not booked, beside the 10 that its store goes on holding, and its snapshot. */
  async function unbooked() {
    const store = new BusyStore();
    const breaker = on(store);
    store.failure = 'throws';
    await spend(breaker, 10, 60, 'critic');
    breaker.reset();
    return { store, snapshot: JSON.parse(JSON.stringify(breaker.snapshot())) };
  }

  it('[SHR7] is in a snapshot, and is booked by the process that goes on with it', async () => {
    const { store, snapshot } = await unbooked();
    const next = on(store);
    next.restore(snapshot);
    expect(JSON.parse(JSON.stringify(next.snapshot()))).toEqual(snapshot);
    expect(await ask(next, 41)).toBe(false);
    next.reset();
    store.failure = undefined;
    expect(await ask(next, 40)).toBe(true);
    expect(store.totals(['agent:critic'])).toMatchObject({
      spent: { tokens: 60 },
      reserved: { tokens: 40 },
      purses: [{ spent: { tokens: 60 }, reserved: { tokens: 0 } }],
    });
  });

  it.each<[unknown, string]>([
    [null, 'spend.unsettled'],
    [[{ id: 7 }], 'spend.unsettled[0].id'],
    [[{ id: null, actual: { nanoUsd: 1, tokens: -1 } }], 'spend.unsettled[0].actual.tokens'],
    [Array(1001).fill({}), 'spend.unsettled'],
  ])('[SNP6] is refused where it is none (%#)', async (unsettled, field) => {
    const { store, snapshot } = await unbooked();
    const broken = { ...snapshot, spend: { ...snapshot.spend, unsettled } };
    expect(() => on(store).restore(broken)).toThrow(expect.objectContaining({ field }));
  });
});
