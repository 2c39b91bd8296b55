import fc from 'fast-check';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { BytePairCounter, EstimatingCounter, loadTokenCounter } from '../src/index.ts';
import { prose } from './sample-texts.ts';

const counter = new EstimatingCounter();
const text = fc.string({ unit: 'grapheme', maxLength: 500 });

describe('EstimatingCounter', () => {
  test('[EST1] says that it estimates', () => {
    expect(counter.isEstimate).toBe(true);
    expectTypeOf<EstimatingCounter['isEstimate']>().toEqualTypeOf<true>();
    expectTypeOf<BytePairCounter>().toHaveProperty('isEstimate').toEqualTypeOf<false>();
  });

  test.each([
    ['', 0],
    ['a', 1],
    ['abcd', 1],
    ['abcde', 2],
    ['Привет', 3],
    ['漢字仮名', 4],
    ['😀', 2],
  ])('[EST2] weighs %j as %i', (sample, tokens) => {
    expect(counter.count(sample)).toBe(tokens);
  });

  test('[EST3] grows with the text, and not by cutting it up', () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        const both = counter.count(a + b);
        expect(both).toBeGreaterThanOrEqual(Math.max(counter.count(a), counter.count(b)));
        expect(both).toBeLessThanOrEqual(counter.count(a) + counter.count(b));
      }),
    );
  });

  test('[EST4] is within a quarter of the encoding on prose', async () => {
    const exact = (await BytePairCounter.load('o200k_base')).count(prose);
    expect(counter.count(prose) / exact).toBeGreaterThan(0.75);
    expect(counter.count(prose) / exact).toBeLessThan(1.25);
  });
});

describe('loadTokenCounter', () => {
  test.each([
    'gpt-4o-mini',
    'openai/gpt-4.1',
    'o3-mini',
    'gpt-5',
    'gpt-4-turbo',
    'gpt-3.5-turbo',
    'ft:gpt-4o-mini:acme::id',
  ])('[TOK7] knows the encoding of %s', async (model) => {
    expect((await loadTokenCounter(model)).isEstimate).toBe(false);
  });

  test('[TOK7] gives each family its own encoding', async () => {
    const sample = 'Ünïcödé straße 漢字';
    const [old, modern] = await Promise.all([
      loadTokenCounter('gpt-4'),
      loadTokenCounter('gpt-4o'),
    ]);
    expect(old.count(sample)).toBeGreaterThan(modern.count(sample));
  });

  test.each(['claude-sonnet-4-0', 'writer-looping', 'gpt-40', ''])(
    '[TOK7] estimates for %j',
    async (model) => {
      expect((await loadTokenCounter(model)).isEstimate).toBe(true);
    },
  );
});
