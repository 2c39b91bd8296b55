import { fakeModel } from '@langchain/core/testing';
import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import * as ai from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { createAgent, tool } from 'langchain';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { installOn } from '../src/index.ts';

/** A model that always wants to look at the sky. */
function looking(): MockLanguageModelV4 {
  let calls = 0;
  const none = { noCache: undefined, cacheRead: undefined, cacheWrite: undefined };
  return new MockLanguageModelV4({
    doGenerate: async () => ({
      content: [{ type: 'tool-call', toolCallId: `${calls++}`, toolName: 'look', input: '{}' }],
      finishReason: { unified: 'tool-calls', raw: undefined },
      usage: {
        inputTokens: { total: 9, ...none },
        outputTokens: { total: 3, text: 3, reasoning: 0 },
      },
      warnings: [],
    }),
  });
}

const tools = { look: ai.tool({ inputSchema: z.object({}), execute: async () => 'blue' }) };

describe('objects of the AI SDK', () => {
  // Documents that ran before may have registered a guard of the whole process.
  beforeEach(() => void Reflect.deleteProperty(globalThis, 'AI_SDK_TELEMETRY_INTEGRATIONS'));

  it('[ION22] guards an agent in place, until it is uninstalled', async () => {
    const model = looking();
    const agent = new ai.ToolLoopAgent({ id: 'watcher', model, tools });
    const guard = installOn(agent, {});
    expect(guard.found).toEqual([{ kind: 'agent', name: 'watcher', members: ['watcher'] }]);
    expect(await guard.report()).toMatchObject({ isPassed: true });
    await agent.generate({ prompt: 'Look.' });
    expect(model.doGenerateCalls).toHaveLength(3);
    guard.uninstall();
    await agent.generate({ prompt: 'Look.' });
    expect(model.doGenerateCalls).toHaveLength(23);
  });

  it('[ION22] guards a model and tools in a list by one breaker', async () => {
    const model = looking();
    const guard = installOn([model, tools] as const, {});
    const [guarded, own] = guard.guarded;
    const call = { model: guarded, tools: own, stopWhen: ai.isStepCount(9), prompt: 'Look.' };
    const { rawFinishReason } = await ai.generateText(call);
    expect(rawFinishReason).toMatch(/^teamfuse: /);
    expect(model.doGenerateCalls).toHaveLength(3);
    expect(guard.found.map(({ kind }) => kind)).toEqual(['model', 'tools']);
    guard.uninstall();
    await ai.generateText(call);
    expect(model.doGenerateCalls).toHaveLength(12);
  });
});

/** A model that says something new each time, at a price of its own. */
function talking(): MockLanguageModelV4 {
  let calls = 0;
  const none = { noCache: undefined, cacheRead: undefined, cacheWrite: undefined };
  return new MockLanguageModelV4({
    modelId: 'my-model',
    doGenerate: async () => ({
      content: [{ type: 'text', text: `Answer ${calls++}.` }],
      finishReason: { unified: 'stop', raw: undefined },
      usage: {
        inputTokens: { total: 200_000, ...none },
        outputTokens: { total: 0, text: 0, reasoning: 0 },
      },
      warnings: [],
    }),
  });
}

describe('a language model by itself', () => {
  const prices = { 'my-model': { inputUsdPerMillion: 1, outputUsdPerMillion: 1 } };
  const budget = { maxUsd: 1, reserveUsd: 0.5 };
  const ask = (model: MockLanguageModelV4) => ai.generateText({ model, prompt: 'Go on.' });

  it('[ION17] has the prices that are given in code', async () => {
    const { guarded, breaker } = installOn(talking(), { budget }, { prices });
    await ask(guarded);
    expect(breaker.cost).toMatchObject({ nanoUsd: 200_000_000, unpricedTokens: 0 });
  });

  it('[ION18] wraps up with what the budget keeps back', async () => {
    const guard = installOn(talking(), { budget }, { prices });
    const refused = async (): Promise<void> => {
      for (let calls = 0; calls < 9; calls++) await ask(guard.guarded);
    };
    await expect(refused()).rejects.toThrow('kept back');
    const { text } = await guard.wrapUp(() => ask(guard.guarded));
    expect(text).toBe('Answer 3.');
  });

  it('[ION25] has the conversation that is named', async () => {
    const model = looking();
    const guard = installOn([model, tools] as const, {}, { conversation: 'chat 7' });
    const trips: string[] = [];
    guard.breaker.on('trip', ({ conversation }) => trips.push(conversation));
    const [guarded, own] = guard.guarded;
    const call = { model: guarded, tools: own, stopWhen: ai.isStepCount(9), prompt: 'Look.' };
    await ai.generateText(call);
    expect(trips).toEqual(['chat 7']);
    expect(model.doGenerateCalls).toHaveLength(3);
    guard.uninstall();
    await ai.generateText(call);
    expect(model.doGenerateCalls).toHaveLength(12);
  });
});

describe('objects of LangChain', () => {
  it('[ION22] guards an agent by its graph, until it is uninstalled', async () => {
    // LangChain writes what its callbacks refuse to the console.
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const model = fakeModel();
    for (let at = 0; at < 20; at++) model.respondWithTools([{ name: 'look', args: {} }]);
    const look = tool(() => 'blue', { name: 'look', description: '', schema: z.object({}) });
    const agent = createAgent({ name: 'watcher', model, tools: [look] });
    const guard = installOn(agent, {});
    expect(guard.found).toEqual([{ kind: 'agent', name: 'watcher', members: ['watcher'] }]);
    expect(await guard.report()).toMatchObject({ isPassed: true });
    await agent.invoke({ messages: [{ role: 'user', content: 'Look.' }] });
    expect(model.callCount).toBe(3);
    guard.uninstall();
    const unguarded = agent.invoke({ messages: [{ role: 'user', content: 'Look.' }] });
    await expect(unguarded).rejects.toThrow('Recursion limit');
  });
});

describe('agents of Mastra', () => {
  it('[ION22] guards an agent in place, until it is uninstalled', async () => {
    const model = looking();
    const look = createTool({ id: 'look', description: '', execute: async () => 'blue' });
    const agent = new Agent({
      id: 'watcher',
      name: 'watcher',
      instructions: '',
      model: Object.assign(model, { specificationVersion: 'v3' }) as never,
      tools: { look },
    });
    const guard = installOn(agent, {});
    expect(guard.found).toEqual([{ kind: 'agent', name: 'watcher', members: ['watcher'] }]);
    expect(await guard.report()).toMatchObject({ isPassed: true });
    await agent.generate('Look.', { maxSteps: 9 });
    expect(model.doGenerateCalls).toHaveLength(3);
    guard.uninstall();
    await agent.generate('Look.', { maxSteps: 9 });
    expect(model.doGenerateCalls).toHaveLength(12);
  });
});

describe('clients of MCP', () => {
  it('[ION22] guards a client in place under the policy, until it is uninstalled', async () => {
    const server = new McpServer({ name: 'clock', version: '1.0.0' });
    server.registerTool('time', {}, async () => ({ content: [{ type: 'text', text: 'noon' }] }));
    const client = new Client({ name: 'host', version: '1.0.0' });
    const [near, far] = InMemoryTransport.createLinkedPair();
    await Promise.all([server.connect(far), client.connect(near)]);
    const guard = installOn(client, { maxToolCalls: 1 });
    expect(guard.found).toMatchObject([{ kind: 'client', name: 'clock' }]);
    expect(await guard.report()).toMatchObject({ isPassed: true });
    await client.callTool({ name: 'time' });
    expect(await client.callTool({ name: 'time' })).toMatchObject({ isError: true });
    guard.uninstall();
    expect(await client.callTool({ name: 'time' })).not.toMatchObject({ isError: true });
  });
});
