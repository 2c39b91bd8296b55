import { describe, expect, it } from 'vitest';
import { Breaker, MemoryBudgetStore, type Signal } from '../src/index.ts';
import { internalsOf } from '../src/kit.ts';

const call = { kind: 'model-request', at: 0, agent: 'writer', model: 'gpt-4o' } as const;
const usage = {
  kind: 'usage',
  at: 1,
  agent: 'writer',
  model: 'gpt-4o',
  inputTokens: 1_000,
  outputTokens: 100,
} as const;
/** What the public price list says of 1,000 and 100 tokens of gpt-4o. */
const PUBLIC_USD = 0.0035;
const flat = { price: () => ({ nanoUsd: 2_000_000 }) };

function costs(signals: readonly Signal[], options = {}): (number | null | undefined)[] {
  const breaker = new Breaker(options);
  const seen: (number | null | undefined)[] = [];
  breaker.on('signal', ({ signal }) => seen.push(signal.kind === 'usage' ? signal.costUsd : -1));
  for (const signal of signals) breaker.observe(signal);
  return seen;
}

describe('the price of a call', () => {
  it('[PRC1] is the public one where the usage names none', () => {
    expect(costs([usage])).toEqual([PUBLIC_USD]);
    expect(
      costs([
        { ...usage, costUsd: 1 },
        { ...usage, costUsd: null },
      ]),
    ).toEqual([1, null]);
  });

  it('[PRC1] is that of the book that was given', () => {
    expect(costs([usage], { prices: flat })).toEqual([0.002]);
  });

  it('[PRC2] is that of the model which is declared for the agent where its own is unknown', () => {
    const deployed = { ...usage, model: 'our-deployment' };
    expect(costs([deployed])).toEqual([null]);
    expect(costs([deployed], { models: 'gpt-4o' })).toEqual([PUBLIC_USD]);
    expect(costs([deployed], { models: { writer: 'gpt-4o' } })).toEqual([PUBLIC_USD]);
    expect(costs([deployed], { models: { critic: 'gpt-4o' } })).toEqual([null]);
  });

  it('[PRC3] counts tokens from a cache at their own price', () => {
    const [plain] = costs([usage]);
    const [cached] = costs([{ ...usage, cachedInputTokens: 1_000 }]);
    expect(cached).toBeLessThan(plain as number);
  });

  it('[PRC4] is unknown, and the error told, where a book throws or gives no price', () => {
    const breaker = new Breaker({
      prices: {
        price: () => {
          throw new Error('no list');
        },
      },
    });
    const told: unknown[] = [];
    breaker.on('error', ({ error, during }) => told.push([during, String(error)]));
    breaker.observe(usage);
    expect(told).toEqual([['prices', 'Error: no list']]);
    expect(breaker.cost.unpricedTokens).toBe(1_100);
  });

  it.each([
    [{ prices: {} }, "option 'prices'"],
    [{ models: { writer: 7 } }, "option 'models'"],
  ])('[PRC4] is refused as an option that tells none: %o', (options, said) => {
    expect(() => new Breaker(options as never)).toThrow(said);
  });

  it('[PRC5] keeps a budget in dollars for a call that `run` makes, without an option for it', async () => {
    const breaker = new Breaker({ budget: { maxUsd: 0.006 } });
    const answer = { choices: [], usage: { prompt_tokens: 1_000, completion_tokens: 100 } };
    const short = { ...call, maxOutputTokens: 100 };
    await breaker.run(short, () => answer);
    await breaker.run(short, () => answer);
    await expect(breaker.run(short, () => answer)).rejects.toThrow('budget');
    expect(breaker.cost.nanoUsd).toBe(7_000_000);
  });

  it.each([
    [128_000, 128_000],
    [0, undefined],
    [-5, undefined],
    [12.5, undefined],
    [Number.NaN, undefined],
  ])('[PRC7] takes a context window of %d for %d', (given, taken) => {
    const book = { ...flat, contextWindow: () => given };
    expect(internalsOf(new Breaker({ prices: book })).pricing.contextWindow('m')).toBe(taken);
  });

  it('[PRC7] has no context window where the book has none or throws, which is reported', () => {
    const none = new Breaker({ prices: flat });
    const broken = new Breaker({
      prices: {
        ...flat,
        contextWindow: () => {
          throw new Error('no list');
        },
      },
    });
    const errors: unknown[] = [];
    for (const breaker of [none, broken]) breaker.on('error', ({ error }) => errors.push(error));
    expect(internalsOf(none).pricing.contextWindow('m')).toBeUndefined();
    expect(internalsOf(broken).pricing.contextWindow('m')).toBeUndefined();
    expect(errors).toEqual([new Error('no list')]);
  });
});

/** A store that notes the money that is reserved. */
class NotingStore extends MemoryBudgetStore {
  readonly reserved: number[] = [];

  override reserve(...request: Parameters<MemoryBudgetStore['reserve']>) {
    this.reserved.push(request[1].nanoUsd);
    return super.reserve(...request);
  }
}

describe('the reservation of a call without an estimate', () => {
  it('[PRC6] is the price of its prompt and of its longest answer', async () => {
    const store = new NotingStore();
    const breaker = new Breaker({ budget: { maxUsd: 1, store } });
    const prompt = { ...call, inputTokens: 1_000 };
    await breaker.admit({ ...prompt, requestId: 'a', maxOutputTokens: 100 });
    await breaker.admit({ ...prompt, requestId: 'b' });
    await breaker.admit({ ...prompt, requestId: 'c', estimatedCostUsd: 0.5 });
    expect(store.reserved).toEqual([3_500_000, 12_740_000, 500_000_000]);
  });

  it('[PRC6] counts what was said as the prompt where nobody counted it', async () => {
    const store = new NotingStore();
    const breaker = new Breaker({ budget: { maxUsd: 1, store } });
    breaker.observe({ kind: 'message', at: 0, agent: 'critic', text: 'word '.repeat(1_000) });
    await breaker.admit({ ...call, maxOutputTokens: 0 });
    expect(store.reserved[0]).toBeGreaterThan(1_000_000);
  });

  it('[PRC6] goes by the prices and models of the breaker', async () => {
    const store = new NotingStore();
    const options = { prices: flat, budget: { perModel: { maxUsd: 1 }, store } };
    await new Breaker(options).admit({ ...call, model: 'our-deployment' });
    const declared = { models: 'gpt-4o', budget: { maxUsd: 1, store } };
    await new Breaker(declared).admit({ ...call, model: 'our-deployment', maxOutputTokens: 100 });
    expect(store.reserved).toEqual([2_000_000, 1_000_000]);
  });

  it('[PRC6] lets calls run side by side, and refuses the one that would exceed the budget', async () => {
    const breaker = new Breaker({ budget: { maxUsd: 0.025 } });
    let made = 0;
    const answer = { usage: { prompt_tokens: 0, completion_tokens: 1_024 } };
    const ask = (requestId: string) =>
      breaker.run(
        { ...call, requestId },
        async () => {
          made++;
          return answer;
        },
        { fallback: () => undefined as never },
      );
    await Promise.all(['a', 'b', 'c'].map(ask));
    expect(made).toBe(2);
    expect(breaker.conversation().trip?.reason).toContain('reserved for 2 other calls');
    expect(breaker.cost.nanoUsd).toBeLessThanOrEqual(25_000_000);
  });

  it('[PRC6] is unknown where the price is: such calls are made one at a time', async () => {
    const breaker = new Breaker({ budget: { maxUsd: 1 } });
    const unknown = { ...call, model: 'our-deployment' };
    expect(await breaker.admit(unknown)).toMatchObject({ isAdmitted: true });
    expect(await breaker.admit(unknown)).toMatchObject({ isAdmitted: false });
    const told = { ...call, estimatedCostUsd: null };
    expect(await new Breaker({ budget: { maxUsd: 1 } }).admit(told)).toMatchObject({
      isAdmitted: false,
    });
  });
});
