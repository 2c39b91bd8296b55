import { MemoryBudgetStore } from '@teamfuse/core';
import { gatherUsageSummary } from '@teamfuse/groupchat';
import { describe, expect, test } from 'vitest';
import { guardAgents } from '../../src/index.ts';
import { speaker, thinker } from '../support/agents.ts';
import { bareBreaker } from '../support/bare-breaker.ts';
import { ofKind } from '../support/signals.ts';
import { watched } from '../support/watched.ts';

const USAGE = { promptTokens: 90, completionTokens: 9 };

/** Makes a model call inside the taps of an agent, as any port with these taps may. */
function call(agent: object, { model = 'scripted', messages = [] as readonly object[] } = {}) {
  const step = { kind: 'model-request', purpose: 'reply', agent, model, messages, hiddenFor: null };
  const { taps } = agent as { taps: { around(...args: unknown[]): Promise<string> } };
  return taps.around(step, async () => 'answer');
}

describe('a model call', () => {
  test('[GCB1] is counted with the names in its prompt and the calls that are asked for', async () => {
    const counted: unknown[] = [];
    const counter = {
      countMessages: (messages: readonly object[]) => counted.push(...messages),
    };
    const a = speaker('A');
    watched([a], { counter });
    await call(a, {
      messages: [
        { role: 'user', name: 'B', content: 'hello' },
        { role: 'user', content: [{ type: 'text', text: 'Look: ' }, { type: 'image_url' }] },
        {
          content: 'Both, then.',
          tool_calls: [{ function: { name: 'add', arguments: '[1]' } }, {}],
        },
        { content: '', function_call: { name: 'now' } },
        { content: null, tool_calls: null, function_call: null },
      ],
    });
    expect(counted).toEqual([
      { name: 'B', content: 'hello' },
      { content: 'Look: <image>' },
      { content: 'Both, then.\nadd([1])\n()' },
      { content: 'now()' },
      { content: '' },
    ]);
  });

  test.each([
    ['no model', {}],
    ['a model without a configuration', { client: { model: 'scripted' } }],
  ])('[GCB1] of an agent with %s is asked for, too', async (_, more) => {
    const { taps } = speaker('A');
    const agent = { name: 'A', registerReply() {}, taps, ...more };
    const { signals } = watched([agent]);
    expect(await call(agent)).toBe('answer');
    expect(ofKind(signals, 'model-request')).toMatchObject([
      { agent: 'A', estimatedCostUsd: null },
    ]);
  });

  test.each([
    ['the model it is for', 'scripted', 0.0012],
    ['no other model', 'another', null],
  ])('[GCB2] is estimated by the price of its agent for %s', async (_, model, estimatedCostUsd) => {
    const { client } = thinker('A', []);
    const extraCreateArgs = { max_tokens: 500 };
    const agent = speaker('A', '', {
      llmConfig: { client, price: [0.001, 0.002], extraCreateArgs },
    });
    const { signals } = watched([agent], { counter: { countMessages: () => 200 } });
    await call(agent, { model });
    expect(ofKind(signals, 'model-request')).toMatchObject([{ model, estimatedCostUsd }]);
  });

  test('[GCB12] is booked once, also where the summary of usage is tracked as a running total', async () => {
    const { client } = thinker(
      'A',
      ['one', 'two'].map((content) => ({ content, usage: USAGE })),
    );
    const agent = speaker('A', '', { llmConfig: { client, price: [1, 2] } });
    const breaker = bareBreaker();
    const user = speaker('B');
    guardAgents([agent, user], breaker);
    for (const _ of [1, 2]) {
      await user.initiateChat(agent, { message: 'hello', maxTurns: 1 });
      const { usageExcludingCachedInference: usage } = gatherUsageSummary([agent, user]);
      await breaker.trackCost({ totalUsd: usage.totalCost ?? 0 });
      expect(breaker.cost.nanoUsd / 1e9).toBeCloseTo(usage.totalCost ?? 0);
    }
    expect(breaker.cost.nanoUsd).toBeGreaterThan(0);
  });

  test('[GCB6] that the guard of another breaker refuses costs nothing', async () => {
    const { agent, client } = thinker('A', []);
    const store = new MemoryBudgetStore();
    const breaker = bareBreaker({ budget: { maxTokens: 9_000, store } });
    const { signals } = watched([agent], {}, breaker);
    guardAgents([agent], bareBreaker({ budget: { maxTokens: 1 } }));
    await speaker('B').initiateChat(agent, { message: 'hello', maxTurns: 1 });
    expect(client.calls).toEqual([]);
    expect(ofKind(signals, 'usage')).toMatchObject([{ costUsd: 0, error: { code: 'TRIPPED' } }]);
    const { spent, reserved } = store.totals();
    expect([spent.tokens, reserved.tokens]).toEqual([0, 0]);
  });
});
