import { Breaker, type BreakerOptions, type Signal } from '@teamfuse/core';
import type { TokenUsage } from '@teamfuse/core/kit';
import { FakeClock } from '@teamfuse/testing';
import { describe, expect, it } from 'vitest';
import { alarmOn, says } from '../../../testing/src/adapters/alarm.ts';
import { beginModel, GuardContext, type ModelCall, unaskedModel } from '../../src/index.ts';

function setUp(options?: BreakerOptions) {
  const breaker = new Breaker(options);
  const signals: Signal[] = [];
  breaker.on('signal', ({ signal }) => signals.push(signal));
  const prices = { price: () => ({ nanoUsd: 7 }) };
  const context = new GuardContext(breaker, { prices });
  const info = { agent: 'bot', model: 'm', prompt: [{ content: 'four by four' }] };
  return { breaker, context, info, signals };
}

describe('a model call', () => {
  it('[KIT7] is reported once, however often it ends', async () => {
    const { context, info, signals } = setUp();
    const call = await beginModel(context, info);
    call.answered({ inputTokens: 5, outputTokens: 2 });
    call.brokeOff();
    call.failed(new Error('too late'));
    expect(signals.map(({ kind }) => kind)).toEqual(['model-request', 'usage']);
    expect(signals[1]).toMatchObject({ inputTokens: 5, outputTokens: 2, costUsd: 7e-9 });
  });

  it('[KIT7] is reported where it was asked for, wherever it ends', async () => {
    const { breaker, context, info } = setUp();
    const conversations: string[] = [];
    breaker.on('signal', ({ conversation }) => conversations.push(conversation));
    const [other, run] = [context.openRun(), context.openRun()];
    const place = { run, depth: 0, path: ['crew'] };
    const call = await context.within(place, () => beginModel(context, info));
    call.unmade();
    expect(new Set(conversations)).toEqual(new Set([run.conversation.id]));
    expect(run.conversation.id).not.toBe(other.conversation.id);
  });

  it.each([
    { how: 'that was answered and brought nothing has failed', isAnswered: true, openings: 2 },
    { how: 'that broke off says nothing', isAnswered: false, openings: 1 },
  ])('[KIT7] as the probe $how', async ({ isAnswered, openings }) => {
    const clock = { now: 0 };
    const { breaker, context, info } = setUp({ cooldownMs: 1000, now: () => clock.now });
    const look = { kind: 'tool-call', at: 0, agent: 'bot', tool: 'look', args: {} } as const;
    for (let i = 0; i < 3; i++) breaker.observe({ ...look, result: 'nothing' });
    clock.now = 1000;
    const call = await beginModel(context, info);
    if (isAnswered) call.answered({ inputTokens: 5, outputTokens: 2 });
    call.brokeOff();
    expect(breaker.conversation().state).toMatchObject({ status: 'open', openings });
  });

  it('[KIT8] is its prompt at least if the provider reports no usage', async () => {
    const { context, info, signals } = setUp();
    (await beginModel(context, info)).answered({ inputTokens: 0, outputTokens: 0 });
    const prompt = { inputTokens: 3, outputTokens: 0, isEstimate: true, isPartial: true };
    expect(signals[1]).toMatchObject(prompt);
  });

  it('[KIT8] costs nothing if the answer came out of a cache', async () => {
    const { context, info, signals } = setUp();
    const usage = { inputTokens: 5, outputTokens: 2 };
    (await beginModel(context, info)).answered(usage, { cached: true });
    expect(signals[1]).toMatchObject({ costUsd: 0 });
  });

  it('[KIT9] that broke off is an estimate of at least the prompt', async () => {
    const { context, info, signals } = setUp();
    (await beginModel(context, info)).brokeOff();
    expect(signals[1]).toMatchObject({ inputTokens: 3, isEstimate: true, costUsd: 7e-9 });
  });

  it('[KIT9] that broke off counts what has come of its answer', async () => {
    const { context, info, signals } = setUp();
    const ends: readonly ((call: ModelCall) => void)[] = [
      (call) => call.brokeOff(),
      (call) => call.answered(null),
      (call) => call.failed(new Error('socket hang up')),
    ];
    for (const end of ends) {
      const call = await beginModel(context, info);
      for (const text of ['four', '', ' by', ' four']) call.streamed(text);
      end(call);
      expect(signals.at(-1)).toMatchObject({ inputTokens: 3, outputTokens: 3, isPartial: true });
    }
    expect(signals.at(-1)).toMatchObject({ error: { message: 'socket hang up' } });
  });

  it('[KIT9] that failed before anything has come took nothing', async () => {
    const { breaker, context, info, signals } = setUp();
    (await beginModel(context, info)).failed(new Error('no luck'));
    expect(signals[1]).toMatchObject({ inputTokens: 0, outputTokens: 0 });
    expect(signals[1]).not.toHaveProperty('isPartial');
    expect(breaker.cost.tokens).toBe(0);
  });

  it('[KIT43] counts an answer by its length if the counter cannot', async () => {
    const { breaker, info, signals } = setUp();
    const onError = () => {};
    const counter = { countMessages: () => Number.NaN };
    const context = new GuardContext(breaker, { counter, onError });
    const call = await beginModel(context, info);
    call.streamed('four by four');
    call.brokeOff();
    expect(signals[1]).toMatchObject({ inputTokens: 3, outputTokens: 3 });
  });

  it('[KIT9] that the caller cancelled broke off, and has not failed', async () => {
    const { context, info, signals } = setUp();
    const signal = AbortSignal.abort();
    (await beginModel(context, { ...info, signal })).failed(signal.reason);
    expect(signals[1]).toMatchObject({ isEstimate: true });
    expect(signals[1]).not.toHaveProperty('error');
  });

  it('[KIT121] holds nothing once it has ended', async () => {
    const { breaker, context, info } = setUp();
    const conversation = breaker.conversation();
    const call = await beginModel(context, info);
    expect(conversation.isUnderWay).toBe(true);
    call.answered({ inputTokens: 5, outputTokens: 2 });
    expect(conversation.isUnderWay).toBe(false);
  });

  it('[KIT121] that is the probe opens the circuit again if it fails, and not if it is answered', async () => {
    const clock = new FakeClock(0);
    const detectors = [alarmOn(says('fire'))];
    const { breaker, context, info } = setUp({ now: clock.now, cooldownMs: 10, detectors });
    const conversation = breaker.conversation();
    breaker.observe({ kind: 'message', agent: 'ann', text: 'fire' });
    clock.advance(10);
    (await beginModel(context, info)).failed(new Error('no luck'));
    expect(conversation.state.status).toBe('open');
    clock.advance(20);
    (await beginModel(context, info)).answered({ inputTokens: 5, outputTokens: 2 });
    expect(conversation.state.status).toBe('half-open');
  });

  it.each([
    undefined,
    null,
    { inputTokens: '4', outputTokens: '2' },
    { inputTokens: -1, outputTokens: 3 },
  ])('[KIT8] counts as it was reserved if the usage cannot be read: %j', async (usage) => {
    const { breaker, context, info } = setUp();
    (await beginModel(context, info)).answered(usage as never);
    expect(breaker.cost).toEqual({ nanoUsd: 7, tokens: 3, unpricedTokens: 0, isEstimate: true });
  });

  it('[KIT8] counts as its prompt if the usage cannot be read and nobody asked', () => {
    const { breaker, context, info } = setUp();
    unaskedModel(context, info).answered(undefined);
    expect(breaker.cost).toMatchObject({ nanoUsd: 7, tokens: 3, isEstimate: true });
  });

  it('[KIT8] costs nothing if it came out of a cache and has no usage', async () => {
    const { breaker, context, info } = setUp();
    (await beginModel(context, info)).answered(undefined, { cached: true });
    expect(breaker.cost.nanoUsd).toBe(0);
  });

  it.each([
    [{}, 3 + 4096],
    [{ maxOutputTokens: 50 }, 3 + 50],
    [{ model: 'small' }, 100],
  ])('[KIT35] is estimated before it is made: %j', async (fields, tokens) => {
    const prices = {
      price: (_: string, { inputTokens, outputTokens }: TokenUsage) => ({
        nanoUsd: inputTokens + outputTokens,
      }),
      contextWindow: (model: string) => (model === 'small' ? 100 : undefined),
    };
    const { context, info, signals } = setUp();
    await beginModel(context, { ...info, prices, ...fields });
    expect(signals[0]).toMatchObject({ inputTokens: 3, estimatedCostUsd: tokens / 1e9 });
  });

  it('[KIT35] tells a budget what it costs with a usual answer', async () => {
    const prices = {
      price: (_: string, { outputTokens }: TokenUsage) => ({ nanoUsd: outputTokens }),
    };
    const { context, info, signals } = setUp({ budget: { maxUsd: 1 } });
    (await beginModel(context, { ...info, prices })).answered({
      inputTokens: 3,
      outputTokens: 40,
    });
    (await beginModel(context, { ...info, prices })).unmade();
    (await beginModel(context, { ...info, prices, maxOutputTokens: 9 })).unmade();
    const asked = signals.filter(({ kind }) => kind === 'model-request');
    expect(asked.map((one) => 'usualCostUsd' in one && one.usualCostUsd)).toEqual([
      256e-9,
      40e-9,
      false,
    ]);
  });

  it('[KIT36] ends its wait with the signal of its caller, and is not made', async () => {
    const budget = { maxTokens: 5, whenFull: 'wait' } as const;
    const { breaker, context, info } = setUp({ budget });
    await beginModel(context, info);
    const controller = new AbortController();
    const waiting = beginModel(context, { ...info, signal: controller.signal });
    const reason = new Error('enough');
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    expect(breaker.conversation().trip).toBeUndefined();
  });
});
