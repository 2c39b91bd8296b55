import { describe, expect, it } from 'vitest';
import { Breaker, type BudgetOptions, MemoryBudgetStore } from '../../src/index.ts';

/** Of gpt-4o, a token of an answer costs 10,000 nano-dollars: a long answer takes 4.096 cents, a usual one 0.256 at first. */
const CALL = { kind: 'model-request', at: 0, model: 'gpt-4o', inputTokens: 0 } as const;
const CENT = 10_000_000;

/** A breaker and a caller whose calls take so many tokens of answer. */
function caller(budget: BudgetOptions) {
  const breaker = new Breaker({ budget });
  let calls = 0;
  /** Begins a call, and returns what ends it with an answer; nothing if it is refused. */
  const begin = async (fields: object = {}) => {
    const requestId = String(++calls);
    const request = { ...CALL, agent: 'writer', ...fields, requestId };
    const { isAdmitted } = await breaker.conversation(requestId).admit(request);
    return isAdmitted
      ? (outputTokens: number) =>
          breaker
            .conversation(requestId)
            .observe({ ...request, kind: 'usage', inputTokens: 0, outputTokens })
      : undefined;
  };
  /** How many calls one caller makes, one after the other. */
  const alone = async (outputTokens: number, fields: object = {}) => {
    for (let made = 0; ; made++) {
      const end = await begin(fields);
      if (end === undefined) return made;
      end(outputTokens);
    }
  };
  return { breaker, begin, alone };
}

describe('a call without a limit of its answer', () => {
  it.each([{}, { whenFull: 'wait' } as const, { perAgent: { maxUsd: 0.04 } }])(
    '[PRC13] begins alone while a usual answer fits: %j',
    async (options) => {
      const { breaker, alone } = caller({ maxUsd: 0.05, ...options });
      // Answers of a tenth of a cent.
      expect(await alone(100)).toBe('perAgent' in options ? 40 : 50);
      expect(breaker.cost.nanoUsd).toBe('perAgent' in options ? 4 * CENT : 5 * CENT);
    },
  );

  it('[PRC13] is refused alone once the average of the answers so far does not fit', async () => {
    const { breaker, alone } = caller({ maxUsd: 0.05 });
    expect(await alone(1_500)).toBe(3);
    expect(breaker.cost.nanoUsd).toBe(4.5 * CENT);
  });

  it('[PRC13] is refused alone after answers that cannot be read, each of which is booked as a long one', async () => {
    const { breaker, alone } = caller({ maxUsd: 0.05 });
    expect(await alone(0)).toBe(1);
    expect(breaker.cost.nanoUsd).toBe(40_960_000);
  });

  it('[PRC13] is refused before the first answer where not even a short one fits', async () => {
    const { alone } = caller({ maxUsd: 0.0025 });
    expect(await alone(100)).toBe(0);
  });

  it('[PRC13] is reserved at a long answer beside others: twenty at once spend no more than there is', async () => {
    const { breaker, begin } = caller({ maxUsd: 0.1 });
    const begun = await Promise.all(Array.from({ length: 20 }, () => begin()));
    for (const end of begun) end?.(4_096);
    expect(begun.filter(Boolean)).toHaveLength(2);
    expect(breaker.cost.nanoUsd).toBeLessThanOrEqual(10 * CENT);
  });

  it('[PRC13] is the only one of twenty that begins on what is left', async () => {
    const { breaker, begin } = caller({ maxUsd: 0.03 });
    const begun = await Promise.all(Array.from({ length: 20 }, () => begin()));
    expect(begun.filter(Boolean)).toHaveLength(1);
    begun[0]?.(4_096);
    // By no more than the rest of one long answer.
    expect(breaker.cost.nanoUsd).toBe(40_960_000);
  });

  it('[PRC13] waits for others until it is alone where calls wait', async () => {
    const { breaker, begin } = caller({ maxUsd: 0.03, whenFull: 'wait' });
    const all = Array.from({ length: 20 }, async () => (await begin())?.(100));
    await Promise.all(all);
    expect(breaker.cost.nanoUsd).toBe(2 * CENT);
  });

  it('[PRC13] begins alone in the purse of its user, while others call', async () => {
    const { begin } = caller({ maxUsd: 0.1, perUser: { maxUsd: 0.03 } });
    expect(await begin({ user: 'ann' })).toBeDefined();
    expect(await begin({ user: 'ann' })).toBeUndefined();
    expect(await begin({ user: 'bob' })).toBeDefined();
    // Both hold a long answer in the whole budget, which has no room for a third.
    expect(await begin({ user: 'cid' })).toBeUndefined();
  });

  it('[PRC13] that names its usual cost begins alone while that fits', async () => {
    const { alone } = caller({ maxUsd: 0.05 });
    expect(await alone(100, { estimatedCostUsd: 0.04, usualCostUsd: 0.002 })).toBe(49);
  });

  it.each([{ maxOutputTokens: 4_096 }, { estimatedCostUsd: 0.04096 }])(
    '[PRC13] that names the most it takes has to fit: %j',
    async (fields) => {
      const { alone } = caller({ maxUsd: 0.05 });
      expect(await alone(100, fields)).toBe(10);
    },
  );
});

describe('a call on a store of all processes', () => {
  it('[PRC13] is alone if no other breaker calls', async () => {
    const store = new MemoryBudgetStore();
    const budget = { maxUsd: 1, perAgent: { maxUsd: 0.03 }, store };
    const [one, other] = [caller(budget), caller(budget)];
    const end = await one.begin();
    expect(end).toBeDefined();
    expect(await other.begin()).toBeUndefined();
    end?.(100);
    expect(await other.alone(100)).toBe(29);
  });

  it('[PRC13] is not alone if another one begins between two answers of the store', async () => {
    const store = new MemoryBudgetStore();
    const slow = new Proxy(store, {
      get: (target, member) => {
        const method = Reflect.get(target, member);
        return async (...args: unknown[]) => Reflect.apply(method, target, args);
      },
    });
    const budget = { maxUsd: 0.03, store: slow };
    const begun = await Promise.all([caller(budget), caller(budget)].map(({ begin }) => begin()));
    expect(begun.filter(Boolean)).toHaveLength(1);
  });
});
