import {
  type BreakerOptions,
  type BudgetStore,
  MemoryBudgetStore,
  type PriceBook,
} from '@teamfuse/core';
import type { ConversableAgent } from '@teamfuse/groupchat';
import { ModelClientError, ReplayChatCompletionClient } from '@teamfuse/models';
import { describe, expect, test } from 'vitest';
import { type GuardOptions, guardAgents } from '../../src/index.ts';
import { group, speaker, thinker } from '../support/agents.ts';
import { bareBreaker } from '../support/bare-breaker.ts';
import { paused } from '../support/gate.ts';
import { ofKind, record } from '../support/signals.ts';

const usage = { promptTokens: 1_000, completionTokens: 1_000 };
const prices = { price: () => ({ nanoUsd: 10_000_000 }) };

function guarded(
  agents: readonly ConversableAgent[],
  options: BreakerOptions,
  guardOptions: GuardOptions = {},
) {
  const breaker = bareBreaker(options);
  guardAgents(agents, breaker, guardOptions);
  return { breaker, signals: record(breaker) };
}

/** An agent whose model never runs out of news. */
function talker(name: string, llm: object = {}) {
  const client = new ReplayChatCompletionClient(
    Array.from({ length: 50 }, (_, at) => ({ content: `news ${at}`, usage })),
    { model: 'scripted' },
  );
  return { client, agent: speaker(name, '', { llmConfig: { client, ...llm } }) };
}

describe('before a model call', () => {
  test('[GCB1] its prompt is counted and its price estimated', async () => {
    const { agent } = talker('A', { extraCreateArgs: { max_tokens: 500 } });
    const counter = { countMessages: (messages: readonly object[]) => messages.length * 100 };
    const book = {
      price: (model: string, { inputTokens, outputTokens }: Record<string, number>) =>
        model === 'scripted' ? { nanoUsd: Number(inputTokens) + Number(outputTokens) } : undefined,
    } as typeof prices;
    const { signals } = guarded([agent, speaker('B')], {}, { prices: book, counter });
    await speaker('B').initiateChat(agent, { message: 'hello', maxTurns: 1 });
    expect(ofKind(signals, 'model-request')).toMatchObject([
      {
        agent: 'A',
        model: 'scripted',
        inputTokens: 200,
        maxOutputTokens: 500,
        estimatedCostUsd: 7e-7,
      },
    ]);
    expect(ofKind(signals, 'usage')).toMatchObject([
      { inputTokens: 1_000, outputTokens: 1_000, costUsd: 2e-6 },
    ]);
  });

  test('[GCB1] without a counter it is estimated by the length of the prompt', async () => {
    const { agent } = talker('A');
    const { signals } = guarded([agent], {});
    await speaker('B').initiateChat(agent, { message: 'x'.repeat(4_000), maxTurns: 1 });
    const [request] = ofKind(signals, 'model-request');
    expect(request?.inputTokens).toBeGreaterThan(1_000);
    expect(request?.inputTokens).toBeLessThan(1_020);
  });

  test('[GCB2] the price an agent is set up with comes first', async () => {
    const { agent } = talker('A', { price: [0.001, 0.002] });
    const { signals } = guarded([agent], {}, { prices });
    await speaker('B').initiateChat(agent, { message: 'hello', maxTurns: 1 });
    expect(ofKind(signals, 'usage')).toMatchObject([{ costUsd: 0.003 }]);
  });

  test('[GCB3] a call that does not fit the budget is not made', async () => {
    const { agent, client } = talker('A', {
      price: [0.01, 0.01],
      extraCreateArgs: { max_tokens: 1_000 },
    });
    const { breaker } = guarded([agent, speaker('B')], { budget: { maxUsd: 0.06 } });
    const { stopReason } = await speaker('B').initiateChat(agent, {
      message: 'hello',
      maxTurns: 9,
    });
    // Two calls cost 0.04; the third, of some 0.01 at least, fits, and the fourth does not.
    expect(client.calls).toHaveLength(3);
    expect(breaker.conversation().trip?.kind).toBe('budget');
    expect(stopReason).toBe(breaker.conversation().trip?.reason);
    expect(breaker.cost.nanoUsd).toBe(60_000_000);
  });

  test('[GCB3] calls that choose speakers and sum up come out of the same purse', async () => {
    const { agent: a, client } = talker('A');
    const members = [a, speaker('B')];
    const { manager } = group(members, {
      speakerSelectionMethod: 'auto',
      selectSpeakerAutoLlmConfig: { client },
    });
    const { breaker } = guarded([...members, manager], { budget: { maxTokens: 7_000 } });
    await a.initiateChat(manager, { message: 'hello', summaryMethod: 'reflection_with_llm' });
    expect(breaker.conversation().trip?.kind).toBe('budget');
    expect(client.calls.length).toBeLessThanOrEqual(4);
  });

  test('[GCB4] an unknown price is said to be unknown', async () => {
    const { agent } = talker('A');
    const { signals } = guarded([agent], {});
    await speaker('B').initiateChat(agent, { message: 'hello', maxTurns: 1 });
    expect(ofKind(signals, 'model-request')).toMatchObject([{ estimatedCostUsd: null }]);
    expect(ofKind(signals, 'usage')).toMatchObject([{ costUsd: null }]);
  });

  test('[GCB5] a store that answers later is waited for', async () => {
    const { agent, client } = talker('A');
    const store = new MemoryBudgetStore();
    const slow: BudgetStore = {
      reserve: async (...args) => store.reserve(...args),
      settle: async (...args) => store.settle(...args),
      totals: async () => store.totals(),
    };
    guarded([agent, speaker('B')], { budget: { maxTokens: 4_100, store: slow } });
    await speaker('B').initiateChat(agent, { message: 'hello', maxTurns: 9 });
    expect(client.calls).toHaveLength(3);
  });
});

describe('after a model call', () => {
  test('[GCB6] each is settled under the id it was asked for with', async () => {
    const { agent } = talker('A');
    const { signals } = guarded([agent, speaker('B')], {});
    await speaker('B').initiateChat(agent, { message: 'hello', maxTurns: 3 });
    const asked = ofKind(signals, 'model-request').map(({ requestId }) => requestId);
    expect(new Set(asked).size).toBe(3);
    expect(ofKind(signals, 'usage').map(({ requestId }) => requestId)).toEqual(asked);
  });

  test('[GCB6] one that fails is settled, too', async () => {
    const { agent } = thinker('A', [new Error('overloaded')]);
    const { signals } = guarded([agent], {});
    const failing = speaker('B').initiateChat(agent, { message: 'hello', maxTurns: 1 });
    await expect(failing).rejects.toThrow('overloaded');
    const [request] = ofKind(signals, 'model-request');
    expect(ofKind(signals, 'usage')).toMatchObject([
      {
        requestId: request?.requestId,
        inputTokens: 0,
        outputTokens: 0,
        error: { message: 'overloaded' },
      },
    ]);
  });

  test('[GCB6] one that fails keeps the code of its error', async () => {
    const { agent } = thinker('A', [new ModelClientError('RATE_LIMITED', 'slow down')]);
    const { signals } = guarded([agent], {});
    const failing = speaker('B').initiateChat(agent, { message: 'hello', maxTurns: 1 });
    await expect(failing).rejects.toThrow('slow down');
    expect(ofKind(signals, 'usage')).toMatchObject([
      { error: { message: 'slow down', code: 'RATE_LIMITED' } },
    ]);
  });

  test('[GCB6] one that somebody else did not allow gives back what was held for it', async () => {
    const { agent, client } = talker('A');
    const store = new MemoryBudgetStore();
    guardAgents([agent], bareBreaker({ budget: { maxTokens: 9_000, store } }));
    agent.taps.add({
      admit: ({ kind }) => (kind === 'model-request' ? { reason: 'not now' } : undefined),
    });
    await speaker('B').initiateChat(agent, { message: 'hello' });
    expect(store.totals().reserved.tokens).toBe(0);
    await agent.initiateChat(speaker('B', []), {
      message: 'hello',
      summaryMethod: 'reflection_with_llm',
    });
    expect(agent.stopReason).toBe('not now');
    expect(client.calls).toEqual([]);
    expect(store.totals().reserved.tokens).toBe(0);
  });

  test('[GCB7] usage that nobody reports counts as prompt and answer, and is said to be an estimate', async () => {
    const { agent } = thinker('A', [{ content: 'y'.repeat(400) }]);
    const { breaker, signals } = guarded([agent], {}, { prices });
    await speaker('B').initiateChat(agent, { message: 'x'.repeat(400), maxTurns: 1 });
    const [request] = ofKind(signals, 'model-request');
    expect(request?.inputTokens).toBeGreaterThanOrEqual(100);
    const [usage] = ofKind(signals, 'usage');
    expect(usage).toMatchObject({ outputTokens: 100, isPartial: true });
    const tokens = Number(request?.inputTokens) + 100;
    expect(breaker.cost).toMatchObject({ tokens, nanoUsd: 10_000_000 });
    expect(breaker.cost.isEstimate).toBe(true);
  });

  test('[GCB7] a call that a stop cuts off counts as it was reserved, and holds nothing', async () => {
    const { agent, client } = talker('A', { extraCreateArgs: { max_tokens: 500 } });
    const { isAsked } = paused(client);
    const store = new MemoryBudgetStore();
    const book: PriceBook = {
      price: (_, { inputTokens, outputTokens }) => ({ nanoUsd: inputTokens + 4 * outputTokens }),
    };
    const { breaker, signals } = guarded(
      [agent],
      { budget: { maxUsd: 1, store } },
      { prices: book },
    );
    const chat = speaker('B').initiateChat(agent, { message: 'x'.repeat(400), maxTurns: 1 });
    await isAsked;
    breaker.stop('enough');
    await chat;
    const [request] = ofKind(signals, 'model-request');
    const inputTokens = request?.inputTokens ?? 0;
    expect(inputTokens).toBeGreaterThanOrEqual(100);
    expect(ofKind(signals, 'usage')).toMatchObject([{ inputTokens, isPartial: true }]);
    expect(store.totals()).toEqual({
      spent: { tokens: inputTokens + 500, nanoUsd: inputTokens + 2_000 },
      reserved: { tokens: 0, nanoUsd: 0 },
    });
  });

  test('[GCB8] an answer out of a cache costs nothing', async () => {
    const { agent } = thinker('A', [{ content: 'again', usage, cached: true }]);
    const { signals } = guarded([agent], {}, { prices });
    await speaker('B').initiateChat(agent, { message: 'hello', maxTurns: 1 });
    expect(ofKind(signals, 'usage')).toMatchObject([{ inputTokens: 1_000, costUsd: 0 }]);
  });

  test('[GCB9] a prompt that does not fit the window is not sent', async () => {
    const { agent, client } = talker('A');
    const { breaker } = guarded([agent], {
      contextWindow: { maxContextTokens: 500 },
      repetition: false,
    });
    await speaker('B').initiateChat(agent, { message: 'word '.repeat(1_000), maxTurns: 2 });
    expect(client.calls).toHaveLength(0);
    expect(breaker.conversation().trip?.kind).toBe('context-window');
  });
});
