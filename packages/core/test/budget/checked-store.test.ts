import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  Breaker,
  type BreakerEventMap,
  type BudgetStore,
  InvalidOptionError,
  MemoryBudgetStore,
} from '../../src/index.ts';
import { BudgetStoreError } from '../../src/kit.ts';
import { message, modelRequest, usage } from '../support/signals.ts';
import { HandTimers } from '../support/timers.ts';

const NOTHING = { nanoUsd: 0, tokens: 0 };
const TOTALS = { spent: NOTHING, reserved: NOTHING };

/** A store of which every member gives the same. */
function giving(give: () => unknown): BudgetStore {
  return { reserve: give, settle: give, totals: give } as unknown as BudgetStore;
}

/** A breaker on such a store, and the errors that it told. */
function on(store: BudgetStore, timers = new HandTimers()) {
  const breaker = new Breaker({ budget: { maxTokens: 100, store, storeTimeoutMs: 50 }, timers });
  const errors: BreakerEventMap['error'][] = [];
  breaker.on('error', (problem) => errors.push(problem));
  return { breaker, errors, timers };
}

const WRONG: readonly (readonly [what: string, answer: () => unknown, message: string])[] = [
  ['nothing', () => undefined, 'returned isGranted: expected true or false, received nothing'],
  ['null', () => null, 'returned isGranted: expected true or false, received nothing'],
  [
    'a word for no',
    () => ({ isGranted: 'no', totals: TOTALS }),
    'returned isGranted: expected true or false, received "no"',
  ],
  [
    'no totals',
    () => ({ isGranted: true }),
    'returned spent.nanoUsd: expected a whole number of at least 0, received nothing',
  ],
  [
    'totals that are no number',
    () => ({ isGranted: true, totals: { ...TOTALS, spent: { nanoUsd: Number.NaN, tokens: 0 } } }),
    'returned spent.nanoUsd: expected a whole number of at least 0, received NaN',
  ],
  [
    'negative totals',
    () => ({ isGranted: true, totals: { ...TOTALS, reserved: { nanoUsd: 0, tokens: -1 } } }),
    'returned reserved.tokens: expected a whole number of at least 0, received -1',
  ],
  [
    'parts of a token',
    () => ({ isGranted: true, totals: { ...TOTALS, reserved: { nanoUsd: 0, tokens: 0.5 } } }),
    'returned reserved.tokens: expected a whole number of at least 0, received 0.5',
  ],
  [
    'an answer that throws when it is read',
    () => ({
      get isGranted(): never {
        throw new Error('unreadable');
      },
    }),
    'failed: unreadable',
  ],
  [
    'a promise that throws when it is looked at',
    () => ({
      // biome-ignore lint/suspicious/noThenProperty: this is what a broken promise looks like
      get then(): never {
        throw new Error('no promise');
      },
    }),
    'failed: no promise',
  ],
  [
    'an error thrown',
    () => {
      throw new Error('store is\ndown');
    },
    'failed: store is down',
  ],
  ['an error later on', () => Promise.reject('gone'), 'failed: gone'],
  [
    'nothing later on',
    async () => undefined,
    'returned isGranted: expected true or false, received nothing',
  ],
];

describe('a store that answers wrongly', () => {
  it.each(WRONG)('[SHR1] refuses the call and tells why: %s', async (_, give, text) => {
    const { breaker, errors } = on(giving(give));
    const admission = breaker.admit(modelRequest({ inputTokens: 1 }));
    await expect(admission).rejects.toThrow(
      expect.objectContaining({
        name: BudgetStoreError.name,
        code: 'BUDGET_STORE',
        member: 'reserve',
        message: `budget store: reserve ${text}`,
      }),
    );
    expect(errors).toMatchObject([{ during: 'store', error: { code: 'BUDGET_STORE' } }]);
  });

  it.each(WRONG)('[SHR2] never ends a run that books its usage: %s', async (_, give) => {
    const { breaker, errors } = on(giving(give));
    expect(breaker.observe(usage())).toBeUndefined();
    expect(await breaker.trackCost(0.01)).toBeUndefined();
    expect(breaker.observe(message('a', 'on it goes'))).toBeUndefined();
    await new Promise(setImmediate);
    expect(errors).toMatchObject([
      { during: 'store', error: { code: 'BUDGET_STORE', member: 'settle' } },
      { during: 'store', error: { code: 'BUDGET_STORE', member: 'settle' } },
    ]);
  });

  it('[SHR2] survives whatever a store may answer, now or later', async () => {
    await fc.assert(
      fc.asyncProperty(fc.anything(), fc.boolean(), async (answer, isLate) => {
        const { breaker, errors } = on(giving(() => (isLate ? Promise.resolve(answer) : answer)));
        const asked = Promise.resolve(breaker.admit(modelRequest({ inputTokens: 1 })));
        await expect(asked).rejects.toBeInstanceOf(BudgetStoreError);
        breaker.observe(usage());
        await new Promise(setImmediate);
        expect(errors.length).toBe(2);
      }),
      { numRuns: 300 },
    );
  });

  it('[SHR3] lets go of what a wrong answer may have reserved', async () => {
    const memory = new MemoryBudgetStore();
    const { breaker } = on({
      reserve: (...args) => ({ ...memory.reserve(...args), isGranted: 'yes' as never }),
      settle: (...args) => memory.settle(...args),
      totals: () => memory.totals(),
    });
    await expect(breaker.admit(modelRequest({ inputTokens: 9 }))).rejects.toThrow('isGranted');
    expect(memory.totals().reserved.tokens).toBe(0);
  });
});

describe('a store that answers late', () => {
  it('[SHR4] refuses the call after storeTimeoutMs, and lets go of what it gets afterwards', async () => {
    const memory = new MemoryBudgetStore();
    let answer = (): void => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const { breaker, errors, timers } = on({
      reserve: (...args) => held.then(() => memory.reserve(...args)),
      settle: (...args) => memory.settle(...args),
      totals: () => memory.totals(),
    });
    const admission = breaker.admit(modelRequest({ inputTokens: 9 }));
    expect(timers.waits).toEqual([50]);
    timers.ring();
    await expect(admission).rejects.toThrow('budget store: reserve did not answer within 50 ms');
    expect(errors).toMatchObject([{ during: 'store' }]);
    answer();
    await new Promise(setImmediate);
    expect(memory.totals().reserved.tokens).toBe(0);
  });

  it('[SHR4] keeps what the same call got when it was asked for again', async () => {
    const memory = new MemoryBudgetStore();
    const answers: (() => void)[] = [];
    const { breaker, timers } = on({
      reserve: (...args) =>
        new Promise((resolve) => answers.push(() => resolve(memory.reserve(...args)))),
      settle: (...args) => memory.settle(...args),
      totals: () => memory.totals(),
    });
    const call = modelRequest({ requestId: 'r', inputTokens: 9 });
    const first = breaker.admit(call);
    timers.ring();
    await expect(first).rejects.toThrow('did not answer');
    const again = breaker.admit(call);
    for (const answer of answers) answer();
    expect(await again).toMatchObject({ isAdmitted: true });
    expect(memory.totals().reserved.tokens).toBe(9);
  });

  it('[SHR4] forgets the deadline of an answer that came', async () => {
    const { breaker, timers } = on(giving(async () => ({ isGranted: true, totals: TOTALS })));
    expect(await breaker.admit(modelRequest({ inputTokens: 1 }))).toMatchObject({
      isAdmitted: true,
    });
    expect(timers.waits).toEqual([]);
  });

  it('[SHR4] observes on while a booking is never answered', async () => {
    const { breaker, errors, timers } = on(giving(() => new Promise(() => {})));
    expect(breaker.observe(usage())).toBeUndefined();
    timers.ring();
    await new Promise(setImmediate);
    expect(errors).toMatchObject([{ during: 'store', error: { member: 'settle' } }]);
  });

  it('[SHR4] waits by the timers of the machine where none are given', async () => {
    const store = giving(() => new Promise(() => {}));
    const breaker = new Breaker({ budget: { maxTokens: 1, store, storeTimeoutMs: 1 } });
    await expect(breaker.admit(modelRequest({ inputTokens: 1 }))).rejects.toThrow('within 1 ms');
  });
});

describe('a store that gives queries', () => {
  /** A query that begins with its `then`, each time anew. */
  function query<T>(run: () => T): Promise<T> {
    // biome-ignore lint/suspicious/noThenProperty: this is what a query of a database looks like
    return { then: (done: (value: T) => void) => done(run()) } as never;
  }

  it('[BUD22] begins each of them once', async () => {
    const memory = new MemoryBudgetStore();
    const { breaker } = on({
      reserve: (...args) => query(() => memory.reserve(...args)),
      settle: (...args) => query(() => memory.settle(...args)),
      totals: (...args) => query(() => memory.totals(...args)),
    });
    await breaker.admit(modelRequest({ requestId: 'r', inputTokens: 9 }));
    expect(memory.totals().reserved.tokens).toBe(9);
    breaker.observe(usage({ requestId: 'r', inputTokens: 7, outputTokens: 0 }));
    await new Promise(setImmediate);
    expect(memory.totals()).toMatchObject({ spent: { tokens: 7 }, reserved: { tokens: 0 } });
  });
});

describe('options of a store', () => {
  it.each([null, {}, { reserve: () => {} }, 'sqlite'])(
    '[SHR5] refuses what is no store: %j',
    (store) => {
      expect(() => new Breaker({ budget: { store: store as unknown as BudgetStore } })).toThrow(
        InvalidOptionError,
      );
    },
  );

  it('[SHR5] refuses one that cannot be read', () => {
    const store = {
      get reserve(): never {
        throw new Error('unreadable');
      },
    };
    expect(() => new Breaker({ budget: { store: store as unknown as BudgetStore } })).toThrow(
      InvalidOptionError,
    );
  });

  it.each([0, 0.5, -1, 2 ** 31, Number.NaN])(
    '[SHR5] refuses a time-out of %d',
    (storeTimeoutMs) => {
      expect(() => new Breaker({ budget: { storeTimeoutMs } })).toThrow("'budget.storeTimeoutMs'");
    },
  );

  it('[SHR8] tells the store which options its processes need to have in common, whatever it throws', () => {
    const told: unknown[] = [];
    const agree = (options: unknown): never => {
      told.push(options);
      throw new Error('no');
    };
    const store = { ...giving(() => TOTALS), agree };
    const perDay = { maxTokens: 100 };
    for (const budget of [
      {},
      { perDay },
      { perUser: { perMonth: perDay }, timeZone: 'Asia/Tokyo' },
      { cacheReads: 'by-price' } as const,
    ]) {
      new Breaker({ budget: { ...budget, store } });
    }
    expect(told).toEqual([
      { cacheReads: 'full', perDay: 'none', perMonth: 'none' },
      { cacheReads: 'full', perDay: 'set', perMonth: 'none', timeZone: 'UTC' },
      { cacheReads: 'full', perDay: 'none', perMonth: 'none', timeZone: 'Asia/Tokyo' },
      { cacheReads: 'by-price', perDay: 'none', perMonth: 'none' },
    ]);
  });
});
