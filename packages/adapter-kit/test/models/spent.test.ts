import { setTimeout as passed } from 'node:timers/promises';
import {
  Breaker,
  type BreakerOptions,
  type BudgetStore,
  MemoryBudgetStore,
  type PriceBook,
  type Signal,
} from '@teamfuse/core';
import { describe, expect, it } from 'vitest';
import {
  beginModel,
  GuardContext,
  type GuardOptions,
  type ModelCallInfo,
} from '../../src/index.ts';

const USAGE = { inputTokens: 5, outputTokens: 2 };
const SEVEN: PriceBook = { price: () => ({ nanoUsd: 7 }) };

function setUp(options: GuardOptions & { readonly breaker?: BreakerOptions } = {}) {
  const { breaker: breakerOptions, ...more } = options;
  const breaker = new Breaker(breakerOptions);
  const signals: Signal[] = [];
  const errors: string[] = [];
  breaker.on('signal', ({ signal }) => signals.push(signal));
  const onError: GuardOptions['onError'] = ({ during, error }) =>
    errors.push(`${during}: ${error}`);
  const context = new GuardContext(breaker, { prices: SEVEN, onError, ...more });
  const begin = (info: Partial<ModelCallInfo> = {}) =>
    beginModel(context, { agent: 'bot', model: 'm', ...info });
  return { breaker, context, signals, errors, begin };
}

describe('what a model call has spent', () => {
  it('[KIT8] is what was counted, if the answer came out of a cache', async () => {
    const { begin, signals } = setUp();
    (await begin()).answered(USAGE, { cached: true });
    expect(signals[1]).toMatchObject({ ...USAGE, costUsd: 0 });
    expect(signals[1]).not.toHaveProperty('isEstimate');
  });

  it('[KIT8] is an estimate where the adapter says so', async () => {
    const { begin, signals } = setUp();
    (await begin()).answered(USAGE, { isEstimate: true });
    expect(signals[1]).toMatchObject({ ...USAGE, isEstimate: true });
  });

  it.each([0, 0.25])('[KIT8] is what the framework reports: %d dollars', async (costUsd) => {
    const { begin, signals } = setUp();
    (await begin()).answered(USAGE, { costUsd });
    expect(signals[1]).toMatchObject({ costUsd });
  });

  it.each([-1, Number.NaN, Number.POSITIVE_INFINITY, null, undefined])(
    '[KIT8] is not what the framework reports if that is no amount of money: %d',
    async (costUsd) => {
      const { begin, signals } = setUp();
      (await begin()).answered(USAGE, costUsd === undefined ? {} : { costUsd });
      expect(signals[1]).toMatchObject({ costUsd: 7e-9 });
    },
  );

  it('[KIT9] is unknown if it broke off and nobody knows the prompt', async () => {
    const { begin, signals } = setUp();
    (await begin()).brokeOff();
    expect(signals[1]).toMatchObject({ inputTokens: 0, costUsd: null, isEstimate: true });
  });

  it('[KIT41] is nothing if the call was not made', async () => {
    const { begin, breaker, signals } = setUp({ breaker: { budget: { maxTokens: 2_000 } } });
    const call = await begin({ prompt: [{ content: 'four by four' }] });
    call.unmade();
    const error = { message: 'the call was not made', code: 'TRIPPED' };
    expect(signals[1]).toMatchObject({ inputTokens: 0, outputTokens: 0, costUsd: 0, error });
    expect(breaker.cost.tokens).toBe(0);
    expect(breaker.conversation().trip).toBeUndefined();
  });

  it('[KIT41] is nothing if another branch ends the run while the call is asked for', async () => {
    const books = new MemoryBudgetStore();
    const answers = [Promise.reject(new Error('no connection')), passed(5)];
    const store: BudgetStore = {
      reserve: async (...request) => {
        await answers.shift();
        return books.reserve(...request);
      },
      settle: (...usage) => books.settle(...usage),
      totals: () => books.totals(),
    };
    const { begin, context, signals } = setUp({ breaker: { budget: { maxTokens: 9_000, store } } });
    const prompt = [{ content: 'four by four' }];
    const inside = { run: context.openRun(), depth: 2, path: ['crew'] };
    const [first, second] = await Promise.allSettled(
      context.within(inside, () => [begin({ agent: 'ann', prompt }), begin({ prompt })]),
    );
    const reason = expect.objectContaining({
      message: expect.stringContaining('the budget could not be checked'),
    });
    expect([first, second]).toEqual([
      { status: 'rejected', reason },
      { status: 'rejected', reason },
    ]);
    const [, request, usage] = signals;
    const { requestId } = request as { requestId?: string };
    const error = { message: 'the call was not made', code: 'TRIPPED' };
    expect(usage).toMatchObject({
      kind: 'usage',
      agent: 'bot',
      model: 'm',
      requestId,
      depth: 2,
      error,
    });
    expect(usage).toMatchObject({ inputTokens: 0, outputTokens: 0, costUsd: 0 });
    expect(books.totals().reserved.tokens).toBe(0);
  });
});

describe('the price of a model call', () => {
  it.each([-1, Number.NaN, Number.POSITIVE_INFINITY])(
    '[KIT6] is unknown where the book of the guard says %d, which is reported',
    async (nanoUsd) => {
      const { begin, signals, errors } = setUp({ prices: { price: () => ({ nanoUsd }) } });
      (await begin()).answered(USAGE);
      expect(signals[1]).toMatchObject({ costUsd: null });
      const text = `prices.price: expected nanoUsd of at least 0, received ${nanoUsd}`;
      expect(new Set(errors)).toEqual(new Set([`observe: RangeError: ${text}`]));
    },
  );

  it('[KIT6] is unknown where the book of the guard throws, which is reported', async () => {
    const price = () => {
      throw new Error('no list');
    };
    const { begin, signals, errors } = setUp({ prices: { price } });
    (await begin()).answered(USAGE);
    expect(signals[1]).toMatchObject({ costUsd: null });
    expect(new Set(errors)).toEqual(new Set(['observe: Error: no list']));
  });

  const prices: PriceBook = {
    price: (model) => (model === 'known' ? { nanoUsd: 7 } : undefined),
  };

  it.each([
    ['known', {}, 7e-9],
    ['deployment-3', {}, null],
    ['deployment-3', { models: 'known' }, 7e-9],
    ['deployment-3', { models: { bot: 'known' } }, 7e-9],
    ['deployment-3', { models: { ann: 'known' } }, null],
    ['known', { models: 'deployment-3' }, 7e-9],
  ])('[KIT42] of the model %s is looked up with %j: %d', async (model, options, costUsd) => {
    const { begin, signals } = setUp({ prices, ...options });
    (await begin({ model })).answered(USAGE);
    expect(signals[1]).toMatchObject({ costUsd });
  });

  it('[KIT35] that is unknown is told even without a prompt, and one that is known is not', async () => {
    const { begin, signals } = setUp({ prices });
    await begin({ model: 'deployment-3' });
    await begin({ model: 'known' });
    expect(signals[0]).toMatchObject({ estimatedCostUsd: null });
    expect(signals[1]).not.toHaveProperty('estimatedCostUsd');
  });

  it('[KIT35] needs no context window', async () => {
    const { begin, errors, signals } = setUp();
    await begin({ prompt: [{ content: 'four by four' }], prices });
    expect(signals[0]).toMatchObject({ inputTokens: 3, estimatedCostUsd: null });
    expect(errors).toEqual([]);
  });
});

describe('the length of a model call', () => {
  it('[KIT35] is told as far as it is known', async () => {
    const { begin, signals } = setUp();
    await begin({ maxOutputTokens: 50 });
    await begin({ prompt: [{ content: 'four by four' }] });
    expect(signals[0]).toMatchObject({ maxOutputTokens: 50 });
    expect(signals[0]).not.toHaveProperty('inputTokens');
    expect(signals[1]).toMatchObject({ inputTokens: 3 });
    expect(signals[1]).not.toHaveProperty('maxOutputTokens');
  });

  it.each([-1, 1.5, Number.NaN, '7'])(
    '[KIT43] is that of the texts if the counter says %s',
    async (count) => {
      const counter = { countMessages: () => count as number };
      const { begin, errors, signals } = setUp({ counter });
      const prompt = [{ content: 'four by four' }, { content: 'five by five' }];
      const call = await begin({ prompt });
      expect(signals[0]).not.toHaveProperty('inputTokens');
      expect(errors).toEqual([
        `observe: RangeError: counter.countMessages: expected a whole number of at least 0, received ${count}`,
      ]);
      expect(call.inputTokens).toBe(0);
      call.brokeOff();
      expect(signals[1]).toMatchObject({ inputTokens: 6, isEstimate: true });
    },
  );

  it('[KIT43] is 0 if the counter says so', async () => {
    const { begin, errors, signals } = setUp({ counter: { countMessages: () => 0 } });
    await begin({ prompt: [{ content: '' }] });
    expect(signals[0]).toMatchObject({ inputTokens: 0 });
    expect(errors).toEqual([]);
  });

  it('[KIT35] can be read of the call', async () => {
    const { begin } = setUp();
    const call = await begin({ prompt: [{ content: 'four by four' }] });
    expect(call.inputTokens).toBe(3);
  });
});
