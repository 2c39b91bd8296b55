import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  GenaiPriceBook,
  type GenaiPriceBookOptions,
  PriceList,
  type TokenUsage,
  toUsd,
} from '../src/index.ts';
import { testTables, usages } from './support/price-tables.ts';

const call: TokenUsage = { inputTokens: 1_000, outputTokens: 100 };
let openai: GenaiPriceBook;

beforeAll(async () => {
  openai = new GenaiPriceBook({ provider: 'openai' });
});

describe('GenaiPriceBook', () => {
  test('[PRI1] knows public prices to the billionth of a dollar', () => {
    // 2.50 and 10 dollars a million tokens; 0.15 and 0.60.
    expect(openai.price('gpt-4o', call)).toEqual({ nanoUsd: 3_500_000 });
    expect(openai.price('gpt-4o-mini', call)).toEqual({ nanoUsd: 210_000 });
    expect(openai.price('gpt-4o', { inputTokens: 0, outputTokens: 0 })).toEqual({ nanoUsd: 0 });
  });

  test('[PRI1] gives whole numbers for any usage', () => {
    fc.assert(
      fc.property(usages, (usage) => {
        expect(openai.price('gpt-4o', usage)?.nanoUsd).toSatisfy(Number.isSafeInteger);
      }),
    );
  });

  test.each(['writer-looping', 'gpt-99', ''])('[PRI2] has no price for %j', async (model) => {
    const any = new GenaiPriceBook();
    expect(openai.price(model, call)).toBeUndefined();
    expect(any.price(model, call)).toBeUndefined();
  });

  test('[PRI2] has no price in tokens for what is charged by the hour', () => {
    expect(openai.price('whisper-1', call)).toBeUndefined();
    expect(openai.price('text-embedding-3-small', call)).toBeUndefined();
  });

  test('[PRI3] charges cached input less, as a part of the input', () => {
    // 500 at 2.50, 500 at 1.25, 100 at 10 dollars a million.
    const half = openai.price('gpt-4o', { ...call, cachedInputTokens: 500 });
    expect(half).toEqual({ nanoUsd: 2_875_000 });
  });

  test.each([
    [
      { inputTokens: -1, outputTokens: 0 },
      'usage.inputTokens: expected an integer from 0, received -1',
    ],
    [
      { inputTokens: 1, outputTokens: 0.5 },
      'usage.outputTokens: expected an integer from 0, received 0.5',
    ],
    [
      { inputTokens: 1, outputTokens: Number.NaN },
      'usage.outputTokens: expected an integer from 0, received NaN',
    ],
    [
      { inputTokens: 10, outputTokens: 0, cachedInputTokens: 11 },
      'usage.cachedInputTokens: expected an integer from 0 to inputTokens (10), received 11',
    ],
  ])('[PRI4] refuses %o', (usage, message) => {
    expect(() => openai.price('gpt-4o', usage)).toThrow(message);
    const list = new PriceList({ any: { inputUsdPerMillion: 1, outputUsdPerMillion: 1 } });
    expect(() => list.price('any', usage)).toThrow(message);
  });

  test('[PRI5] never charges less for more', () => {
    fc.assert(
      fc.property(usages, fc.nat(1_000), fc.nat(1_000), (usage, input, output) => {
        const more = {
          ...usage,
          inputTokens: usage.inputTokens + input,
          outputTokens: usage.outputTokens + output,
        };
        const price = openai.price('gpt-4o', usage)?.nanoUsd ?? Number.NaN;
        expect(openai.price('gpt-4o', more)?.nanoUsd).toBeGreaterThanOrEqual(price);
      }),
    );
  });

  test('[PRI11] refuses an option that does not exist, naming it', () => {
    const options = { provder: 'openai' } as GenaiPriceBookOptions;
    expect(() => new GenaiPriceBook(options)).toThrow(
      'option \'provder\': expected one of the options provider, now, received "openai"',
    );
    expect(new GenaiPriceBook({ provider: 'openai' }).contextWindow('gpt-4o')).toBe(128_000);
  });

  test('[PRI7] finds the provider by prefix, by maker, or as told', async () => {
    const any = new GenaiPriceBook();
    expect(any.price('openai/gpt-4o', call)).toEqual({ nanoUsd: 3_500_000 });
    expect(any.price('gpt-4o', call)).toEqual({ nanoUsd: 3_500_000 });
    const anthropic = new GenaiPriceBook({ provider: 'anthropic' });
    expect(anthropic.price('gpt-4o', call)).toBeUndefined();
    expect(() => new GenaiPriceBook({ provider: 'nobody' })).toThrow(
      expect.objectContaining({
        code: 'UNKNOWN_PROVIDER',
        message: expect.stringContaining('received "nobody"'),
      }),
    );
  });

  // By Amazon's page: Nova Pro $0.80 and $3.20 for a million tokens; Claude Sonnet 4.5 $3 and $15, a tenth more in one region.
  test.each([
    ['amazon.nova-pro-v1:0', 0.8e3 + 0.1 * 3.2e3],
    ['us.amazon.nova-pro-v1:0', 0.8e3 + 0.1 * 3.2e3],
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 3.3e3 + 0.1 * 16.5e3],
    ['global.anthropic.claude-sonnet-4-5-20250929-v1:0', 3e3 + 0.1 * 15e3],
    [
      'arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude-sonnet-4-5-20250929-v1:0',
      3.3e3 + 0.1 * 16.5e3,
    ],
  ])('[PRI7] knows the names of Bedrock without a prefix: %s', (model, microUsd) => {
    const nanoUsd = Math.round(microUsd * 1e3);
    expect(new GenaiPriceBook().price(model, call)).toEqual({ nanoUsd });
  });

  test.each([
    'models/gemini-2.5-flash',
    'publishers/google/models/gemini-2.5-flash',
    'projects/my-project/locations/europe-west1/publishers/google/models/gemini-2.5-flash',
  ])('[PRI7] knows a model by its address at Google: %s', (model) => {
    const book = new GenaiPriceBook();
    const usage = { inputTokens: 1_000, outputTokens: 100 };
    expect(book.price(model, usage)).toEqual(book.price('gemini-2.5-flash', usage));
    expect(book.price(model, usage)).toBeDefined();
    expect(book.contextWindow(model)).toBe(book.contextWindow('gemini-2.5-flash'));
  });

  test.each(['my.own-model', 'acme.claude-sonnet-4-5'])(
    '[PRI7] knows no price for another name that begins with a word and a full stop: %s',
    (model) => {
      expect(new GenaiPriceBook().price(model, call)).toBeUndefined();
    },
  );

  test('[PRI10] has $25 for a thousand searches of the models that search each time', () => {
    const book = new GenaiPriceBook();
    // 1,000 tokens at $2.50, 100 at $10 for a million, and one search at $25 for a thousand.
    const searched = { inputTokens: 1_000, outputTokens: 100, webSearches: 1 };
    expect(book.price('gpt-4o-search-preview', searched)).toEqual({
      nanoUsd: 2_500_000 + 1_000_000 + 25_000_000,
      isEstimate: true,
    });
    expect(book.price('gpt-4o', searched)?.nanoUsd).toBe(2_500_000 + 1_000_000 + 10_000_000);
  });

  test('[PRI8] asks the given clock', async () => {
    let asked = 0;
    const book = new GenaiPriceBook({
      provider: 'openai',
      now: () => {
        asked += 1;
        return Date.UTC(2026, 0, 1);
      },
    });
    book.price('gpt-4o', call);
    expect(asked).toBe(1);
  });

  testTables(2);

  test('[PRI2] has no price for names without end, however often it is asked', () => {
    const any = new GenaiPriceBook();
    for (let at = 0; at < 600; at++) {
      const model = `${'writer-'.repeat(at)}looping`;
      expect([any.price(model, call), any.contextWindow(model)]).toEqual([undefined, undefined]);
    }
    expect(any.price('gpt-4o', call)).toEqual({ nanoUsd: 3_500_000 });
  });

  test('[PRI8] follows prices that change at some time of the day', () => {
    let hour = 12;
    const book = new GenaiPriceBook({
      provider: 'deepseek',
      now: () => Date.UTC(2025, 6, 1, hour),
    });
    const prices = [12, 17, 12].map((at) => {
      hour = at;
      return book.price('deepseek-chat', call)?.nanoUsd;
    });
    expect(prices[0]).toBe(prices[2]);
    expect(prices[1]).toBeLessThan(prices[0] as number);
  });

  test('[WIN1] knows windows, or says that it does not', () => {
    expect(openai.contextWindow('gpt-4o')).toBe(128_000);
    expect(openai.contextWindow('writer-looping')).toBeUndefined();
  });
});

describe('PriceList', () => {
  const prices = {
    own: { inputUsdPerMillion: 3, outputUsdPerMillion: 15, cachedInputUsdPerMillion: 0.3 },
    free: { inputUsdPerMillion: 0, outputUsdPerMillion: 0 },
  };
  const list = new PriceList(prices);

  test('[PRI3] [PRI6] computes what it is told', () => {
    expect(list.price('own', call)).toEqual({ nanoUsd: 4_500_000 });
    expect(list.price('own', { ...call, cachedInputTokens: 1_000 })).toEqual({
      nanoUsd: 1_800_000,
    });
    expect(list.price('free', call)).toEqual({ nanoUsd: 0 });
    expect(toUsd({ nanoUsd: 4_500_000 })).toBe(0.0045);
  });

  test.each(['other', 'constructor', '__proto__'])('[PRI2] has no price for %s', (model) => {
    expect(list.price(model, call)).toBeUndefined();
  });

  test('[PRI6] asks the next book for the rest', () => {
    const both = new PriceList(prices, openai);
    expect(both.price('gpt-4o', call)).toEqual({ nanoUsd: 3_500_000 });
    expect(both.price('other', call)).toBeUndefined();
  });

  test.each([-1, Number.NaN, Number.POSITIVE_INFINITY])('[PRI4] refuses a price of %s', (bad) => {
    const stated = { inputUsdPerMillion: 1, outputUsdPerMillion: bad };
    expect(() => new PriceList({ own: stated })).toThrow(
      `prices['own'].outputUsdPerMillion: expected a number of at least 0, received ${bad}`,
    );
  });

  test('[PRI1] [PRI5] adds up', () => {
    fc.assert(
      fc.property(usages, usages, (a, b) => {
        const sum = {
          inputTokens: a.inputTokens + b.inputTokens,
          outputTokens: a.outputTokens + b.outputTokens,
          cachedInputTokens: a.cachedInputTokens + b.cachedInputTokens,
        };
        const [one, two, together] = [a, b, sum].map(
          (usage) => list.price('own', usage)?.nanoUsd ?? Number.NaN,
        );
        expect(together).toSatisfy(Number.isSafeInteger);
        expect(Math.abs((together ?? 0) - (one ?? 0) - (two ?? 0))).toBeLessThanOrEqual(1);
      }),
    );
  });
});
