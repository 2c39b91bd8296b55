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
});
