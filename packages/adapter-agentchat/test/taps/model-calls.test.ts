import { AssistantAgent, RoundRobinGroupChat } from '@teamfuse/agentchat';
import { Breaker, type BreakerOptions } from '@teamfuse/core';
import type { ReplayChatCompletionClient, Reply } from '@teamfuse/models';
import { describe, expect, it } from 'vitest';
import { guardTeam } from '../../src/guard/guard-team.ts';
import type { GuardOptions } from '../../src/index.ts';
import { assistant, callsTool, replay, tool } from '../support/agents.ts';
import { ofKind, recorded } from '../support/signals.ts';

const usage = { promptTokens: 100, completionTokens: 20 };
const prices = {
  price: (
    _model: string,
    { inputTokens, outputTokens }: { inputTokens: number; outputTokens: number },
  ) => ({
    nanoUsd: 1000 * inputTokens + 10_000 * outputTokens,
  }),
};

async function run(
  replies: Reply[],
  guard: GuardOptions & { modelClientStream?: boolean; breaker?: BreakerOptions } = {},
) {
  const { modelClientStream = false, breaker: breakerOptions, ...options } = guard;
  const breaker = new Breaker(breakerOptions);
  const signals = recorded(breaker);
  const model = replay(...replies);
  const agent = new AssistantAgent('bot', { modelClient: model, modelClientStream });
  const team = new RoundRobinGroupChat([agent], { maxTurns: 1 });
  guardTeam(team, breaker, options);
  const result = await team.run({ task: 'Go' }).catch((error: Error) => error);
  return { result, signals, model, breaker };
}

describe.each([false, true])('a model call (streamed: %s)', (modelClientStream) => {
  it('[MDL1] is told before it is made and after it, under one id', async () => {
    const { signals } = await run([{ content: 'Hello', usage }], { modelClientStream });
    const [request] = ofKind(signals, 'model-request');
    const [taken] = ofKind(signals, 'usage');
    expect(request).toMatchObject({ agent: 'bot', model: 'replay' });
    expect(taken).toEqual({
      kind: 'usage',
      agent: 'bot',
      model: 'replay',
      requestId: request?.requestId,
      inputTokens: 100,
      outputTokens: 20,
      costUsd: 0,
    });
    expect(signals.map(({ kind }) => kind)).toEqual([
      'human-input',
      'model-request',
      'usage',
      'message',
    ]);
  });

  it('[MDL2] has its price where one is known', async () => {
    const { signals } = await run([{ content: 'Hello', usage }], { modelClientStream, prices });
    expect(ofKind(signals, 'usage')).toMatchObject([{ costUsd: 0.0003 }]);
  });

  it('[MDL3] is estimated before it is made, and refused when it does not fit', async () => {
    const { result, model, breaker } = await run(['Hello'], {
      modelClientStream,
      prices,
      counter: { countMessages: (messages) => 1000 * messages.length },
      breaker: { budget: { maxUsd: 0.001 } },
    });
    expect(result).toMatchObject({ stopReason: breaker.conversation().trip?.reason });
    expect(breaker.conversation().trip?.kind).toBe('budget');
    expect(model.calls).toHaveLength(0);
  });

  it('[MDL4] that fails is told with its error, and fails as ever', async () => {
    const { result, signals } = await run([new Error('overloaded')], { modelClientStream });
    expect(result).toMatchObject({ message: 'Error: overloaded' });
    expect(ofKind(signals, 'usage')).toMatchObject([
      { inputTokens: 0, outputTokens: 0, costUsd: null, error: { message: 'overloaded' } },
    ]);
  });

  it('[MDL5] whose provider reports nothing is told as an estimate', async () => {
    const { signals } = await run(
      [{ content: 'Hello', usage: { promptTokens: 0, completionTokens: 0 } }],
      { modelClientStream, prices },
    );
    expect(ofKind(signals, 'usage')).toMatchObject([{ isEstimate: true, isPartial: true }]);
  });

  it('[MDL5] answered from a cache costs nothing', async () => {
    const { signals } = await run([{ content: 'Hello', usage, cached: true }], {
      modelClientStream,
      prices,
    });
    expect(ofKind(signals, 'usage')).toMatchObject([{ costUsd: 0, inputTokens: 100 }]);
  });
});

describe('a streamed model call', () => {
  it('[MDL6] that breaks off is told as an estimate', async () => {
    const { signals } = await run(
      [{ content: 'Hello', usage, chunks: ['Hel'], omitResult: true }],
      {
        modelClientStream: true,
        counter: { countMessages: () => 50 },
        prices,
      },
    );
    expect(ofKind(signals, 'usage')).toMatchObject([
      { inputTokens: 50, outputTokens: 0, costUsd: 0.00005, isEstimate: true },
    ]);
  });
});

describe('the prompt of a model call', () => {
  it('[MDL3] is counted with all that a model reads: texts, names, calls and results', async () => {
    const prompts: (readonly { content: string; name?: string }[])[] = [];
    const { agent } = assistant('bot', [callsTool('look', { q: 'tides' }), 'Found'], {
      tools: [tool('look', () => 'high at noon')],
      systemMessage: 'Look things up.',
      maxToolIterations: 2,
    });
    const team = new RoundRobinGroupChat([agent], { maxTurns: 1 });
    const counter = {
      countMessages(messages: readonly { content: string; name?: string }[]) {
        prompts.push(messages);
        return 1;
      },
    };
    guardTeam(team, new Breaker(), { counter });
    await team.run({ task: 'When is high tide?' });
    expect(prompts.at(-1)).toEqual([
      { content: 'Look things up.' },
      { content: 'When is high tide?', name: 'user' },
      { content: 'look{"q":"tides"}', name: 'bot' },
      { content: 'lookhigh at noon' },
    ]);
  });
});

describe('a model that is called in nobody’s turn', () => {
  type Options = NonNullable<Parameters<ReplayChatCompletionClient['create']>[1]>;

  /** Calls the model of a guarded agent by hand; says what was told, and with what it was called. */
  async function call(
    messages: readonly object[],
    {
      isStream = false,
      options,
      ...guard
    }: GuardOptions & { isStream?: boolean; options?: Options },
    change = (_: object) => {},
  ) {
    const breaker = new Breaker();
    const signals = recorded(breaker);
    const { agent, model } = assistant('bot', ['Hello']);
    change(model);
    guardTeam(new RoundRobinGroupChat([agent]), breaker, guard);
    const { modelClient } = agent;
    if (isStream) for await (const _ of modelClient.createStream(messages as never, options));
    else await modelClient.create(messages as never, options);
    return { signals, model };
  }

  it.each([false, true])(
    '[INS3] gets the options of its caller, who may have limited the answer (streamed: %s)',
    async (isStream) => {
      const options = { extraCreateArgs: { max_tokens: 9 } };
      const { signals, model } = await call([], { isStream, options });
      expect(model.calls).toMatchObject([{ isStream, options }]);
      expect(ofKind(signals, 'model-request')).toMatchObject([{ maxOutputTokens: 9 }]);
    },
  );

  it.each([false, true])('[MDL1] may have no name (streamed: %s)', async (isStream) => {
    const nameless = (model: object) => Object.defineProperty(model, 'model', { value: undefined });
    const { signals } = await call([], { isStream }, nameless);
    expect(ofKind(signals, 'usage')).toMatchObject([{ agent: 'bot', model: 'unknown' }]);
  });

  it('[MDL3] has the texts of a prompt counted, not its images', async () => {
    const prompts: unknown[] = [];
    const countMessages = (messages: unknown) => prompts.push(messages);
    const mixed = {
      type: 'UserMessage',
      source: 'user',
      content: ['Look', { data: 'iVBOR' }, null],
    };
    await call([mixed, { type: 'SystemMessage', content: null }], { counter: { countMessages } });
    expect(prompts).toEqual([[{ content: 'Look\n\n', name: 'user' }, { content: '' }]]);
  });
});
