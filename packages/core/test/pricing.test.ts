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
const LLAMA = { inputUsdPerMillion: 0.2, outputUsdPerMillion: 0.6 };
const llama = { ...usage, model: 'my-llama' };
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

  it('[PRC3] counts what was written to a cache, sound, searches and tiers at their own prices', () => {
    const written = { ...usage, model: 'claude-opus-4-6', cacheWriteTokens: 500 };
    // 500 at 5, 500 at 6.25, 100 at 25 dollars a million; 400 of the written ones at 10.
    expect(costs([written])).toEqual([0.008125]);
    expect(costs([{ ...written, cacheWrite1hTokens: 400 }])).toEqual([0.009625]);
    expect(costs([{ ...written, webSearches: 2 }])).toEqual([0.028125]);
    const heard = { ...usage, model: 'gpt-audio', inputAudioTokens: 400, outputAudioTokens: 50 };
    // 600 at 2.50, 400 at 32, 50 at 10, 50 at 64.
    expect(costs([heard])).toEqual([0.018]);
  });

  it('[PRC9] marks a price as an estimate where the list does not know what was charged', () => {
    const breaker = new Breaker();
    breaker.observe({ ...usage, serviceTier: 'batch' });
    expect(breaker.cost).toMatchObject({ nanoUsd: 1_750_000, isEstimate: true });
    const own = new Breaker({ prices: { 'my-llama': LLAMA } });
    own.observe({ ...llama, cacheWriteTokens: 1_000, cacheWrite1hTokens: 400 });
    // 600 at 1.25 and 400 at 2 times 0.20, 100 at 0.60.
    expect(own.cost).toMatchObject({ nanoUsd: 370_000, isEstimate: true });
  });

  it('[PRC10] is that of the model that answered, by the prices given and then by the public ones', () => {
    const routed = { ...usage, model: 'gpt-4o-mini', responseModel: 'o1-pro' };
    expect(costs([routed])).toEqual([0.21]);
    expect(costs([{ ...usage, responseModel: 'our-deployment' }])).toEqual([PUBLIC_USD]);
    const prefixed = { ...usage, model: 'azure/our-deployment', responseModel: 'gpt-4o' };
    expect(costs([prefixed])).toEqual([PUBLIC_USD]);
    const dated = { ...usage, responseModel: 'gpt-4o-2024-08-06' };
    expect(costs([dated], { prices: { 'gpt-4o': LLAMA } })).toEqual([0.00026]);
    expect(costs([dated], { models: 'gpt-4o-mini' })).toEqual([PUBLIC_USD]);
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

  it('[PRC8] is that of the prices given by model, and the public one of all others', () => {
    const prices = { 'my-llama': LLAMA };
    expect(costs([llama, usage, { ...usage, model: 'another' }], { prices })).toEqual([
      0.00026,
      PUBLIC_USD,
      null,
    ]);
    expect(costs([{ ...usage, model: 'replay' }], { prices })).toEqual([0]);
    expect(costs([usage], { prices: { 'gpt-4o': LLAMA } })).toEqual([0.00026]);
    expect(costs([usage], { prices: {} })).toEqual([PUBLIC_USD]);
  });

  it('[PRC8] counts tokens from a cache at their own price, or at that of the prompt', () => {
    const cached = { ...llama, cachedInputTokens: 500 };
    const prices = { 'my-llama': { ...LLAMA, cachedInputUsdPerMillion: 0.02 } };
    expect(costs([cached], { prices })).toEqual([0.00017]);
    expect(costs([cached], { prices: { 'my-llama': LLAMA } })).toEqual([0.00026]);
  });

  it('[PRC8] holds for a budget in dollars before the call, and leaves the context windows public', () => {
    const breaker = new Breaker({ budget: { maxUsd: 0.0005 }, prices: { 'my-llama': LLAMA } });
    const request = { ...call, model: 'my-llama', inputTokens: 1_000, maxOutputTokens: 100 };
    const answers = [1, 2].map(() => breaker.admit(request));
    expect(answers).toMatchObject([{ isAdmitted: true }, { isAdmitted: false }]);
    const { pricing } = internalsOf(breaker);
    expect(pricing.contextWindow('gpt-4o')).toBe(128_000);
    expect(pricing.contextWindow('my-llama')).toBeUndefined();
  });

  it('[PRC8] lies before the prices of the breaker, if a part of it has prices by model', () => {
    const { pricing } = internalsOf(new Breaker({ prices: { 'my-llama': LLAMA } }));
    const own = pricing.with({ prices: { mine: { ...LLAMA, inputUsdPerMillion: 2 } } });
    const usd = (model: string): number | null => own.usd('writer', model, usage);
    expect(['mine', 'my-llama', 'gpt-4o', 'another'].map(usd)).toEqual([
      0.00206,
      0.00026,
      PUBLIC_USD,
      null,
    ]);
  });

  it.each<[unknown, string, string]>([
    [{ 'my-llama': 5 }, 'prices.my-llama', 'expected an object, received 5'],
    [
      { 'my-llama': { inputUsdPerMillion: 1 } },
      'prices.my-llama.outputUsdPerMillion',
      'expected a finite number of at least 0, received nothing',
    ],
    [
      { 'my-llama': { ...LLAMA, inputUsdPerMillion: '$1' } },
      'prices.my-llama.inputUsdPerMillion',
      'expected a finite number of at least 0, received "$1"',
    ],
    [
      { 'llama3.1:70b': { ...LLAMA, outputUsdPerMillion: -1 } },
      'prices.llama3.1:70b.outputUsdPerMillion',
      'received -1',
    ],
    [
      { 'my-llama': { ...LLAMA, cachedInputUsdPerMilion: 1 } },
      'prices.my-llama.cachedInputUsdPerMilion',
      "did you mean 'cachedInputUsdPerMillion'?",
    ],
    [{ cost: () => 1 }, 'prices.cost', 'expected an object'],
    [[LLAMA], 'prices', "expected prices by model, such as { 'my-llama': {"],
  ])(
    '[PRC8] is refused where it makes no sense, naming model and field: %j',
    (prices, option, text) => {
      const make = (): Breaker => new Breaker({ prices } as never);
      expect(make).toThrow(expect.objectContaining({ code: 'INVALID_OPTION', option }));
      expect(make).toThrow(text);
    },
  );

  it.each([
    [{ prices: 7 }, "option 'prices'"],
    [{ prices: null }, "option 'prices'"],
    [{ models: { writer: 7 } }, "option 'models'"],
    [{ models: 7 }, "option 'models'"],
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
    expect(store.reserved).toEqual([3_500_000, 43_460_000, 500_000_000]);
  });

  it('[PRC11] is longer where the model has given longer answers', async () => {
    const store = new NotingStore();
    const breaker = new Breaker({ budget: { maxUsd: 1, store } });
    breaker.observe({ ...usage, inputTokens: 0, outputTokens: 10_000 });
    await breaker.admit({ ...call, inputTokens: 0 });
    await breaker.admit({ ...call, inputTokens: 0, model: 'gpt-4o-mini' });
    expect(store.reserved).toEqual([100_000_000, 2_457_600]);
  });

  it('[PRC12] counts what the last answer says is in the cache at the price of the cache', async () => {
    const store = new NotingStore();
    let at = 0;
    const breaker = new Breaker({ budget: { maxUsd: 9, store }, now: () => at });
    const opus = { model: 'claude-opus-4-6', agent: 'writer' };
    const request = {
      ...({ kind: 'model-request', ...opus, inputTokens: 100_000, maxOutputTokens: 0 } as const),
    };
    const ask = async (): Promise<void> => {
      await breaker.admit(request);
      const seen = { inputTokens: 100_000, cachedInputTokens: 60_000, cacheWriteTokens: 20_000 };
      breaker.observe({ kind: 'usage', ...opus, ...seen, outputTokens: 1 });
    };
    await ask();
    at = 60_000;
    await ask();
    at = 460_000;
    await ask();
    // All at 5 dollars a million; then 80,000 of them at 0.50, until the cache has forgotten them.
    expect(store.reserved).toEqual([500_000_000, 140_000_000, 500_000_000]);
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
    const breaker = new Breaker({ budget: { maxUsd: 0.1 } });
    let made = 0;
    const answer = { usage: { prompt_tokens: 0, completion_tokens: 4_096 } };
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
    expect(breaker.cost.nanoUsd).toBeLessThanOrEqual(100_000_000);
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
