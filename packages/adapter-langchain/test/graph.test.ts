import { createHash } from 'node:crypto';
import { AIMessage, HumanMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import {
  Command,
  interrupt,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
} from '@langchain/langgraph';
import { Breaker, type Signal } from '@teamfuse/core';
import { MemoryHistoryStore } from '@teamfuse/stores/history';
import { FakeClock } from '@teamfuse/testing';
import { createAgent } from 'langchain';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { guardGraph, tripOf } from '../src/index.ts';
import { looking, lookTool } from './support/looking.ts';
import { ScriptedModel } from './support/scripted-model.ts';
import { runSideBySide } from './support/side-by-side.ts';

// LangChain writes what its callbacks refuse to the console.
beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}));

/** An address with bytes, as of a picture. */
function picture(seed: string): string {
  const bytes = createHash('sha512').update(seed).digest();
  return `data:image/png;base64,${Buffer.concat([bytes, bytes, bytes]).toString('base64')}`;
}

const FIELDS = (at: number): string => `field ${at}`;
const input = () => ({ messages: [new HumanMessage('Look.')] });

function signalsOf(breaker: Breaker): Signal[] {
  const signals: Signal[] = [];
  breaker.on('signal', ({ signal }) => signals.push(signal));
  return signals;
}

describe('guardGraph', () => {
  it('[LCN10] ends a run before its next model call, and keeps the state', async () => {
    const model = looking(50);
    const agent = createAgent({ model, tools: [lookTool()] });
    guardGraph(agent, new Breaker(), { judge: false });
    const result = await agent.invoke(input());
    expect(tripOf(result)?.kind).toBe('repetition');
    expect(model.asked).toBe(3);
    expect(result.messages).toHaveLength(7);
  });

  it.each([
    ['ends a run that is shown the same picture', () => 'same', 3],
    ['leaves one alone that is shown another each time', (at: number) => `other ${at}`, 10],
  ] as const)('[LCN20] %s', async (_, shown, asked) => {
    const model = looking(9);
    let at = 0;
    const look = tool(
      async () => [
        { type: 'text', text: 'Scrolled.' },
        { type: 'image_url', image_url: { url: picture(shown(at++)) } },
      ],
      { name: 'look', description: 'Looks.', schema: z.object({ at: z.string() }) },
    );
    const agent = createAgent({ model, tools: [look] });
    guardGraph(agent, new Breaker(), { judge: false });
    await agent.invoke(input(), { recursionLimit: 50 });
    expect(model.asked).toBe(asked);
  });

  it('[LCN11] leaves a healthy twin alone', async () => {
    const breaker = new Breaker();
    const agent = createAgent({
      model: looking(9, FIELDS),
      tools: [lookTool((at) => `a bird over ${at}`)],
    });
    guardGraph(agent, breaker, { judge: false });
    const result = await agent.invoke(input(), { recursionLimit: 50 });
    expect(result.messages.at(-1)?.text).toBe('Done.');
    expect(tripOf(result)).toBeUndefined();
    expect(breaker.stopped).toEqual([]);
  });

  it('[LCN12] hands on each item of a stream as it comes, and the trip of a stream', async () => {
    const agent = createAgent({ model: looking(50), tools: [lookTool()] });
    guardGraph(agent, new Breaker(), { judge: false });
    const stream = await agent.stream(input(), { streamMode: 'updates' });
    const updates: object[] = [];
    for await (const update of stream) updates.push(update);
    expect(updates.map((update) => Object.keys(update)[0])).toEqual(
      Array.from({ length: 3 }, () => ['model_request', 'tools']).flat(),
    );
    expect(tripOf(stream)?.kind).toBe('repetition');
  });

  it('[LCN13] frees the conversation of a stream that its reader leaves', async () => {
    const breaker = new Breaker();
    const agent = createAgent({ model: looking(9, FIELDS), tools: [lookTool()] });
    guardGraph(agent, breaker, { judge: false, conversation: 'left' });
    const ids = new Set<string>();
    breaker.on('signal', ({ conversation }) => ids.add(conversation));
    for await (const _ of await agent.stream(input())) break;
    await agent.invoke(input());
    expect([...ids]).toEqual(['left']);
  });

  it('[LCN13] frees the conversation of a stream that nobody reads', async () => {
    const breaker = new Breaker();
    const store = new MemoryHistoryStore();
    const history = { store, task: 'look' };
    const agent = createAgent({ model: looking(0), tools: [lookTool()] });
    guardGraph(agent, breaker, { judge: false, conversation: 'unread', history });
    const ids: string[] = [];
    breaker.on('signal', ({ conversation }) => ids.push(conversation));
    await agent.stream(input());
    await vi.waitFor(() => expect(store.latest('look', 9)).toHaveLength(1));
    await agent.invoke(input());
    expect(new Set(ids)).toEqual(new Set(['unread']));
  });

  it('[LCN14] counts cached tokens as part of the prompt', async () => {
    const signals: Signal[] = [];
    const breaker = new Breaker();
    breaker.on('signal', ({ signal }) => signals.push(signal));
    const usage = { inputTokens: 100, outputTokens: 10, cachedTokens: 80 };
    const agent = createAgent({
      model: new ScriptedModel('m', () => ({ text: 'Hello.', usage })),
      tools: [],
    });
    const price = (_: string, tokens: { readonly cachedInputTokens?: number }) => ({
      nanoUsd: tokens.cachedInputTokens ?? 0,
    });
    guardGraph(agent, breaker, { judge: false, prices: { price } });
    await agent.invoke(input());
    const used = signals.filter(({ kind }) => kind === 'usage');
    expect(used).toMatchObject([{ inputTokens: 100, outputTokens: 10, costUsd: 80e-9 }]);
  });

  it('[LCN15] takes an answered interrupt for the input of a person, and its wait for no run time', async () => {
    const clock = new FakeClock(1);
    const breaker = new Breaker({ maxRunMs: 500, now: clock.now, timers: clock.timers });
    const signals = signalsOf(breaker);
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('ask', () => ({ messages: [new AIMessage(`You said ${interrupt('Well?')}.`)] }))
      .addNode('thank', () => ({ messages: [new AIMessage('Thank you.')] }))
      .addEdge(START, 'ask')
      .addEdge('ask', 'thank')
      .compile({ checkpointer: new MemorySaver() });
    guardGraph(graph, breaker);
    const config = { configurable: { thread_id: 'a' } };
    await graph.invoke(input(), config);
    clock.advance(60_000);
    const result = await graph.invoke(new Command({ resume: 'yes' }), config);
    expect(result.messages.map(({ text }) => text)).toEqual([
      'Look.',
      'You said yes.',
      'Thank you.',
    ]);
    const people = signals.filter((one) => one.kind === 'human-input' && !one.isAutomatic);
    expect(people).toMatchObject([{ text: 'yes', waitedMs: 60_000 }]);
    expect(tripOf(result)).toBeUndefined();
  });

  it('[LCN16] goes on with the conversation of a thread in a breaker that was restored', async () => {
    const checkpointer = new MemorySaver();
    const config = { configurable: { thread_id: 'a' } };
    const begin = (breaker: Breaker, looks: number) => {
      const model = looking(looks);
      const agent = createAgent({ model, tools: [lookTool()], checkpointer });
      guardGraph(agent, breaker, { judge: false });
      return { agent, model };
    };
    const first = new Breaker();
    await begin(first, 2).agent.invoke(input(), config);
    const second = new Breaker();
    second.restore(JSON.parse(JSON.stringify(first.snapshot())));
    const { agent, model } = begin(second, 50);
    const result = await agent.invoke(input(), config);
    expect(tripOf(result)?.kind).toBe('repetition');
    expect(model.asked).toBeLessThan(3);
    expect(second.conversation('a').trip).toBeDefined();
  });

  it('[LCN17] reports a sub-graph as nested work, and an agent in a node as the turn of that node', async () => {
    const breaker = new Breaker();
    const signals = signalsOf(breaker);
    const inner = new StateGraph(MessagesAnnotation)
      .addNode('deep', () => ({ messages: [new AIMessage('from within')] }))
      .addEdge(START, 'deep')
      .compile();
    const agent = createAgent({ name: 'looker', model: looking(1), tools: [lookTool()] });
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('group', inner)
      .addNode('looker', agent.graph)
      .addEdge(START, 'group')
      .addEdge('group', 'looker')
      .compile();
    guardGraph(graph, breaker, { judge: false });
    await graph.invoke(input());
    const starts = signals.filter(({ kind }) => kind === 'nested-start');
    expect(starts).toMatchObject([{ agent: 'group', depth: 1 }]);
    const said = signals.filter((signal) => signal.kind === 'message');
    expect(said).toMatchObject([
      { agent: 'deep', text: 'from within', depth: 1 },
      { agent: 'looker', text: 'Done.' },
    ]);
    expect(signals.filter(({ kind }) => kind === 'tool-call')).toMatchObject([{ agent: 'looker' }]);
  });

  it('[LCN18] mixes no conversations of 20 parallel runs, and keeps nothing of them', () =>
    runSideBySide(20));
});
