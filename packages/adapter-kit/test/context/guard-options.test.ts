import { Breaker } from '@teamfuse/core';
import { describe, expect, it } from 'vitest';
import { GuardContext, type GuardOptions } from '../../src/index.ts';

describe('options of a guard', () => {
  it('[KIT5] leave the prices to the breaker, by default the public ones', () => {
    const usage = { inputTokens: 1_000, outputTokens: 100 };
    const { pricing } = new GuardContext(new Breaker());
    expect(pricing.price('bot', 'gpt-4o-mini', usage)).toEqual({ nanoUsd: 210_000 });
    expect(pricing.price('bot', 'my-own-model', usage)).toBeUndefined();
    expect(pricing.price('bot', 'replay', usage)).toEqual({ nanoUsd: 0 });
    const prices = { price: () => ({ nanoUsd: 7 }) };
    expect(new GuardContext(new Breaker({ prices })).pricing.usd('bot', 'm', usage)).toBe(7e-9);
  });

  it('[KIT5] replace the prices of the breaker and keep its models, and the reverse', () => {
    const usage = { inputTokens: 1, outputTokens: 1 };
    const only = (name: string) => ({
      price: (model: string) => (model === name ? { nanoUsd: 7 } : undefined),
    });
    const breaker = new Breaker({ prices: only('a'), models: 'b' });
    const usd = (options: GuardOptions) =>
      new GuardContext(breaker, options).pricing.usd('bot', 'deployment', usage);
    expect(usd({})).toBeNull();
    expect(usd({ prices: only('b') })).toBe(7e-9);
    expect(usd({ models: 'a' })).toBe(7e-9);
  });

  it('[KIT5] come before the prices of the breaker where they are given by model', () => {
    const usage = { inputTokens: 1_000, outputTokens: 0 };
    const perMillion = (usd: number) => ({ inputUsdPerMillion: usd, outputUsdPerMillion: 0 });
    const breaker = new Breaker({ prices: { 'my-llama': perMillion(1), other: perMillion(2) } });
    const { pricing } = new GuardContext(breaker, { prices: { 'my-llama': perMillion(3) } });
    const usd = (model: string) => pricing.usd('bot', model, usage);
    expect(['my-llama', 'other', 'gpt-4o-mini', 'none'].map(usd)).toEqual([
      0.003,
      0.002,
      0.00015,
      null,
    ]);
  });

  it.each<[object, string, string]>([
    [{ onError: 'no' }, 'onError', 'a function'],
    [{ prices: null }, 'prices', 'prices by model, such as'],
    [{ models: { bot: 7 } }, 'models', "option 'models'"],
    [{ counter: null }, 'counter', 'an object with a method countMessages'],
    [{ price: {} }, 'price', "did you mean 'prices'?"],
    [{ onerror: () => {} }, 'onerror', "did you mean 'onError'?"],
    [{ prices: { m: {} } }, 'prices.m.inputUsdPerMillion', 'received nothing'],
    [{ counter: {} }, 'counter', 'an object with a method countMessages'],
    [{ nudge: 'no' }, 'nudge', 'a function'],
    [{ isTaskFromPerson: 'no' }, 'isTaskFromPerson', 'true or false'],
  ])('[KIT34] refuse %j, naming the option', (options, option, text) => {
    const guard = () => new GuardContext(new Breaker(), options as never);
    expect(guard).toThrow(expect.objectContaining({ option }));
    expect(guard).toThrow(text);
  });
});
