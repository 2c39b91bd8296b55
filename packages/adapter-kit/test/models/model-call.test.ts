import { Breaker, type Signal } from '@teamfuse/core';
import { describe, expect, it } from 'vitest';
import { GuardContext, ModelCall } from '../../src/index.ts';

function setUp() {
  const breaker = new Breaker();
  const signals: Signal[] = [];
  breaker.on('signal', ({ signal }) => signals.push(signal));
  const prices = { price: () => ({ nanoUsd: 7 }) };
  const context = new GuardContext(breaker, { prices });
  const info = { agent: 'bot', model: 'm', prompt: [{ content: 'four by four' }] };
  return { context, info, signals };
}

describe('a model call', () => {
  it('[KIT7] is reported once, however often it ends', async () => {
    const { context, info, signals } = setUp();
    const call = await ModelCall.begin(context, info);
    call.answered({ inputTokens: 5, outputTokens: 2 });
    call.left();
    call.failed(new Error('too late'));
    expect(signals.map(({ kind }) => kind)).toEqual(['model-request', 'usage']);
    expect(signals[1]).toMatchObject({ inputTokens: 5, outputTokens: 2, costUsd: 7e-9 });
  });

  it('[KIT8] has an unknown price if the provider reports no usage', async () => {
    const { context, info, signals } = setUp();
    (await ModelCall.begin(context, info)).answered({ inputTokens: 0, outputTokens: 0 });
    expect(signals[1]).toMatchObject({ costUsd: null });
  });

  it('[KIT8] costs nothing if the answer came out of a cache', async () => {
    const { context, info, signals } = setUp();
    const usage = { inputTokens: 5, outputTokens: 2 };
    (await ModelCall.begin(context, info)).answered(usage, { cached: true });
    expect(signals[1]).toMatchObject({ costUsd: 0 });
  });

  it('[KIT9] that broke off is an estimate of at least the prompt', async () => {
    const { context, info, signals } = setUp();
    (await ModelCall.begin(context, info)).left();
    expect(signals[1]).toMatchObject({ inputTokens: 3, isEstimate: true, costUsd: 7e-9 });
  });

  it('[KIT9] that the caller cancelled broke off, and has not failed', async () => {
    const { context, info, signals } = setUp();
    const signal = AbortSignal.abort();
    (await ModelCall.begin(context, { ...info, signal })).failed(signal.reason);
    expect(signals[1]).toMatchObject({ isEstimate: true });
    expect(signals[1]).not.toHaveProperty('error');
  });
});
