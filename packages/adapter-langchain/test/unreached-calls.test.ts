import { AIMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { Breaker } from '@teamfuse/core';
import { createAgent, fakeModel, toolStrategy } from 'langchain';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import {
  type GuardableGraph,
  guardGraph,
  guardMiddleware,
  type RunConfig,
  tripOf,
} from '../src/index.ts';

// LangChain writes what its callbacks refuse to the console.
beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}));

const ANSWERS = 12;
const FINDING = {
  ...{ title: 'finding', type: 'object', required: ['id'] },
  properties: { id: { type: 'string' } },
};

interface Asked {
  readonly name: string;
  readonly args: Record<string, unknown>;
}

type Way = 'graph' | 'middleware';

/** Lets a model ask for calls, or answer in a structure. How often it is asked until a trip, if there is one. */
async function run(way: Way, callOf: (step: number) => Asked, isStructured = false) {
  const model = fakeModel();
  for (let at = 0; at < ANSWERS; at++) {
    const call = { ...callOf(at), id: `c${at}`, type: 'tool_call' as const };
    model.respond(new AIMessage({ content: '', tool_calls: [call] }));
  }
  const look = tool(({ at }) => `${at} is blue`, {
    ...{ name: 'look', description: 'Looks.' },
    schema: z.object({ at: z.string() }),
  });
  const breaker = new Breaker();
  const tools: string[] = [];
  breaker.on('signal', ({ signal }) => {
    if (signal.kind === 'tool-call') tools.push(signal.tool);
  });
  const options = {
    model,
    tools: isStructured ? [] : [look],
    ...(isStructured && { responseFormat: toolStrategy(FINDING as never) }),
    ...(way === 'middleware' && { middleware: [guardMiddleware(breaker, { judge: false })] }),
  };
  const agent = (createAgent as unknown as (given: object) => GuardableGraph)(options);
  if (way === 'graph') guardGraph(agent, breaker, { judge: false });
  const input = { messages: [{ role: 'user', content: 'Look.' }] };
  const result = await agent.invoke(input, { recursionLimit: 100 } as RunConfig).catch(() => ({}));
  return { asked: model.callCount, tools, hasTripped: tripOf(result as object) !== undefined };
}

describe.each<Way>(['graph', 'middleware'])('calls that reach no tool, with the %s', (way) => {
  it.each<[string, Asked]>([
    ['the tool does not exist', { name: 'serch', args: { at: 'sky' } }],
    ['the tool has no name', { name: '', args: {} }],
    ['the arguments do not fit', { name: 'look', args: { att: 'sky' } }],
  ])('[LCN21] stop the agent at the third that is the same where %s', async (_, call) => {
    const { asked, hasTripped } = await run(way, () => call);
    expect({ asked, hasTripped }).toEqual({ asked: 3, hasTripped: true });
  });

  it('[LCN21] are told once each, and leave a healthy agent alone', async () => {
    const { asked, tools, hasTripped } = await run(way, (at) =>
      at < 2
        ? { name: 'serch', args: { at: 'sky' } }
        : { name: 'look', args: { at: `star ${at}` } },
    );
    expect({ isRunOut: asked >= ANSWERS, hasTripped }).toEqual({
      isRunOut: true,
      hasTripped: false,
    });
    expect(tools).toEqual(['serch', 'serch', ...Array(ANSWERS - 2).fill('look')]);
  });

  it('[LCN21] are structured answers that cannot be parsed, and none that can', async () => {
    const finding = (args: Record<string, unknown>) => ({ name: 'finding', args });
    const loop = await run(way, () => finding({}), true);
    expect(loop).toMatchObject({ asked: 3, hasTripped: true });
    const twin = await run(way, (at) => finding(at < 3 ? { note: at } : { id: 'f' }), true);
    expect(twin).toMatchObject({ asked: 4, hasTripped: false });
  });
});
