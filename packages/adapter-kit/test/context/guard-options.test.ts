import { describe, expect, it } from 'vitest';
import { checkOptions } from '../../src/index.ts';

describe('options of a guard', () => {
  it('[KIT34] bring the public prices, and know nothing of other models', () => {
    const { prices } = checkOptions({});
    const usage = { inputTokens: 1_000, outputTokens: 100 };
    expect(prices.price('gpt-4o-mini', usage)).toEqual({ nanoUsd: 210_000 });
    expect(prices.price('my-own-model', usage)).toBeUndefined();
    expect(prices.price('replay', usage)).toEqual({ nanoUsd: 0 });
  });

  it('[KIT34] bring the context windows of public models, in one book for all guards', () => {
    const { prices } = checkOptions({});
    expect(prices.contextWindow?.('gpt-4o-mini')).toBe(128_000);
    expect(prices.contextWindow?.('my-own-model')).toBeUndefined();
    expect(checkOptions({}).prices).toBe(prices);
  });

  it.each<[object, string, string]>([
    [{ onError: 'no' }, 'onError', 'a function'],
    [{ prices: null }, 'prices', 'an object with a method price'],
    [{ counter: null }, 'counter', 'an object with a method countMessages'],
    [{ price: {} }, 'price', "did you mean 'prices'?"],
    [{ onerror: () => {} }, 'onerror', "did you mean 'onError'?"],
    [{ prices: {} }, 'prices', 'an object with a method price'],
    [{ counter: {} }, 'counter', 'an object with a method countMessages'],
    [{ nudge: 'no' }, 'nudge', 'a function'],
    [{ isTaskFromPerson: 'no' }, 'isTaskFromPerson', 'true or false'],
  ])('[KIT34] refuse %j, naming the option', (options, option, text) => {
    expect(() => checkOptions(options as never)).toThrow(expect.objectContaining({ option }));
    expect(() => checkOptions(options as never)).toThrow(text);
  });
});
