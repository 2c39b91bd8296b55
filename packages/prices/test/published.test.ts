import { describe, expect, test } from 'vitest';
import { GenaiPriceBook, type TokenUsage } from '../src/index.ts';
import { PUBLISHED, type PublishedPrices } from './fixtures/published-prices.ts';

const NOW = Date.UTC(2026, 10, 1);

interface Case {
  readonly name: string;
  readonly usage: TokenUsage;
  readonly usd: number;
}

/** Usages of a model, with what they cost by the prices that its page states. */
function casesOf(p: PublishedPrices): readonly Case[] {
  const { cached, written, written1h, inputAudio, outputAudio, reasoning, searches } = p;
  const fee = (p.requests ?? 0) / 1_000;
  const cases: Case[] = [
    {
      name: 'plain',
      usage: { inputTokens: 12_345, outputTokens: 678 },
      usd: (12_345 * p.input + 678 * p.output) / 1e6 + fee,
    },
    {
      name: 'long',
      usage: { inputTokens: 150_000, outputTokens: 8_001 },
      usd: (150_000 * p.input + 8_001 * p.output) / 1e6 + fee,
    },
    {
      name: 'an answer alone',
      usage: { inputTokens: 1, outputTokens: 16_384 },
      usd: (p.input + 16_384 * p.output) / 1e6 + fee,
    },
    {
      name: 'thoughts',
      usage: { inputTokens: 900, outputTokens: 3_000, reasoningTokens: 2_000 },
      usd: (900 * p.input + 1_000 * p.output + 2_000 * (reasoning ?? p.output)) / 1e6 + fee,
    },
  ];
  if (cached !== undefined) {
    cases.push({
      name: 'read from a cache',
      usage: { inputTokens: 40_000, cachedInputTokens: 30_000, outputTokens: 500 },
      usd: (10_000 * p.input + 30_000 * cached + 500 * p.output) / 1e6,
    });
  }
  if (written !== undefined) {
    cases.push({
      name: 'written to a cache',
      usage: { inputTokens: 20_005, cacheWriteTokens: 20_000, outputTokens: 500 },
      usd: (5 * p.input + 20_000 * written + 500 * p.output) / 1e6,
    });
  }
  if (written !== undefined && written1h !== undefined && cached !== undefined) {
    cases.push({
      name: 'read, written, and written for an hour',
      usage: {
        inputTokens: 66_000,
        cachedInputTokens: 50_000,
        cacheWriteTokens: 15_000,
        cacheWrite1hTokens: 10_000,
        outputTokens: 700,
      },
      usd:
        (1_000 * p.input +
          50_000 * cached +
          5_000 * written +
          10_000 * written1h +
          700 * p.output) /
        1e6,
    });
  }
  if (inputAudio !== undefined) {
    cases.push({
      name: 'heard',
      usage: { inputTokens: 5_000, inputAudioTokens: 4_000, outputTokens: 100 },
      usd: (1_000 * p.input + 4_000 * inputAudio + 100 * p.output) / 1e6,
    });
  }
  if (inputAudio !== undefined && p.cachedAudio !== undefined && cached !== undefined) {
    cases.push({
      name: 'heard, from a cache',
      usage: {
        inputTokens: 5_000,
        inputAudioTokens: 4_000,
        cachedAudioTokens: 3_000,
        cachedInputTokens: 3_500,
        outputTokens: 100,
      },
      usd:
        (500 * p.input +
          500 * cached +
          1_000 * inputAudio +
          3_000 * p.cachedAudio +
          100 * p.output) /
        1e6,
    });
  }
  if (outputAudio !== undefined) {
    cases.push({
      name: 'spoken',
      usage: { inputTokens: 100, outputTokens: 1_200, outputAudioTokens: 1_000 },
      usd: (100 * p.input + 200 * p.output + 1_000 * outputAudio) / 1e6,
    });
  }
  if (searches !== undefined) {
    cases.push({
      name: 'searched',
      usage: { inputTokens: 2_000, outputTokens: 300, webSearches: 7 },
      usd: (2_000 * p.input + 300 * p.output) / 1e6 + (7 * searches) / 1_000,
    });
  }
  for (const tier of ['batch', 'priority'] as const) {
    const share = p[tier];
    if (share === undefined) continue;
    cases.push({
      name: tier,
      usage: { inputTokens: 7_000, outputTokens: 900, serviceTier: tier },
      usd: ((7_000 * p.input + 900 * p.output) / 1e6) * share,
    });
  }
  return cases;
}

const CASES = PUBLISHED.flatMap(({ provider, models }) =>
  Object.entries(models).flatMap(([model, prices]) =>
    casesOf(prices).map((one) => ({ provider, model, ...one })),
  ),
);

describe('published prices', () => {
  test('[PRI9] are those of fifteen providers and two hundred usages', () => {
    expect(new Set(CASES.map(({ provider }) => provider)).size).toBeGreaterThanOrEqual(15);
    expect(CASES.length).toBeGreaterThanOrEqual(200);
  });

  test.each(PUBLISHED)('[PRI9] are what is charged by $provider: $source', ({ provider }) => {
    const book = new GenaiPriceBook({ provider, now: () => NOW });
    const wrong = CASES.filter((one) => one.provider === provider).flatMap((one) => {
      const price = book.price(one.model, one.usage);
      const isRight = Math.abs((price?.nanoUsd ?? Number.NaN) - one.usd * 1e9) <= 1;
      const isEstimate = one.usage.serviceTier !== undefined;
      return isRight && (price?.isEstimate ?? false) === isEstimate ? [] : [{ ...one, price }];
    });
    expect(wrong).toEqual([]);
  });

  test('[PRI9] count the whole call at the price of a long prompt', () => {
    const google = new GenaiPriceBook({ provider: 'google', now: () => NOW });
    const usage = { inputTokens: 250_000, cachedInputTokens: 50_000, outputTokens: 1_000 };
    // Beyond 200,000 tokens: 2.50, 0.25 and 15 dollars a million.
    const usd = (200_000 * 2.5 + 50_000 * 0.25 + 1_000 * 15) / 1e6;
    expect(google.price('gemini-2.5-pro', usage)).toEqual({ nanoUsd: Math.round(usd * 1e9) });
  });
});

describe('a price that the table does not know', () => {
  const aws = new GenaiPriceBook({ provider: 'aws', now: () => NOW });
  const sonnet = 'anthropic.claude-3-5-sonnet-20241022-v2:0';
  const call = { inputTokens: 10_000, outputTokens: 0 };

  test.each<[string, TokenUsage, number]>([
    // 3 and 3.75 dollars a million; an hour costs twice the input.
    ['an hour in a cache', { ...call, cacheWriteTokens: 10_000, cacheWrite1hTokens: 10_000 }, 0.06],
    ['a search', { ...call, webSearches: 3 }, 0.06],
    ['sound', { ...call, inputAudioTokens: 1_000 }, 0.075],
    ['a batch', { ...call, serviceTier: 'batch' }, 0.015],
  ])('[PRI10] is an estimate for %s, never that of plain tokens', (_, usage, usd) => {
    const price = { nanoUsd: Math.round(usd * 1e9), isEstimate: true };
    expect(aws.price(sonnet, usage)).toEqual(price);
  });

  test('[PRI10] is known where the provider has no other: writes of OpenAI, sound of Gemini', () => {
    const openai = new GenaiPriceBook({ provider: 'openai', now: () => NOW });
    const written = { ...call, cacheWriteTokens: 5_000 };
    expect(openai.price('gpt-4o', written)).toEqual({ nanoUsd: 25_000_000 });
    const google = new GenaiPriceBook({ provider: 'google', now: () => NOW });
    const heard = { ...call, inputAudioTokens: 5_000 };
    expect(google.price('gemini-2.5-pro', heard)).toEqual({ nanoUsd: 12_500_000 });
  });
});
