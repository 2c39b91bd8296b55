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

  it.each<[object, string, string]>([
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
