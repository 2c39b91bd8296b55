import { describe, expect, it } from 'vitest';
import { safePrices } from '../../src/index.ts';

const USAGE = { inputTokens: 1, outputTokens: 1 };

function priced(price: () => { nanoUsd: number } | undefined) {
  const errors: unknown[] = [];
  const prices = safePrices({ price }, (error) => errors.push(error));
  return { given: prices.price('model', USAGE), errors };
}

describe('safePrices', () => {
  it.each([{ nanoUsd: 0 }, { nanoUsd: 12.5 }, undefined])('[KIT5] passes %j on', (price) => {
    expect(priced(() => price)).toEqual({ given: price, errors: [] });
  });

  it.each([-1, Number.NaN, Number.POSITIVE_INFINITY])(
    '[KIT6] takes a price of %d for unknown, and reports it',
    (nanoUsd) => {
      const { given, errors } = priced(() => ({ nanoUsd }));
      expect(given).toBeUndefined();
      expect(String(errors)).toContain(`expected nanoUsd of at least 0, received ${nanoUsd}`);
    },
  );

  it('[KIT6] takes the price of a book that throws for unknown, and reports it', () => {
    const broken = new Error('no such file');
    const { given, errors } = priced(() => {
      throw broken;
    });
    expect([given, errors]).toEqual([undefined, [broken]]);
  });

  it.each([
    [128_000, 128_000],
    [1, 1],
    [0, undefined],
    [-5, undefined],
    [12.5, undefined],
    [Number.NaN, undefined],
    [undefined, undefined],
  ])('[KIT5] takes a context window of %d for %d', (given, taken) => {
    const book = { price: () => undefined, contextWindow: () => given };
    expect(safePrices(book, () => {}).contextWindow?.('model')).toBe(taken);
  });

  it('[KIT5] knows no context window where the book has none', () => {
    const errors: unknown[] = [];
    const prices = safePrices({ price: () => undefined }, (error) => errors.push(error));
    expect(prices.contextWindow?.('model')).toBeUndefined();
    expect(errors).toEqual([]);
  });

  it('[KIT6] takes the context window of a book that throws for unknown, and reports it', () => {
    const broken = new Error('no such file');
    const errors: unknown[] = [];
    const contextWindow = () => {
      throw broken;
    };
    const prices = safePrices({ price: () => undefined, contextWindow }, (e) => errors.push(e));
    expect(prices.contextWindow?.('model')).toBeUndefined();
    expect(errors).toEqual([broken]);
  });
});
