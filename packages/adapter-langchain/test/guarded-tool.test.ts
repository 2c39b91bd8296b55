import { HumanMessage } from '@langchain/core/messages';
import { DynamicStructuredTool, type StructuredTool, tool } from '@langchain/core/tools';
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { createReactAgent } from '@langchain/langgraph/prebuilt';
import { guard, isTripped } from '@teamfuse/core';
import { createAgent } from 'langchain';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { looking } from './support/looking.ts';

const LOOKS = 6;
const INPUT = { messages: [new HumanMessage('Look.')] };
const FIELDS = { name: 'look', description: 'Looks at a place.' };
const schema = z.object({ at: z.string() });

type Look = (input: { at: string }, ...others: unknown[]) => Promise<string>;
type Place = (at: number) => string;

const TOOLS: Readonly<Record<string, (look: Look) => StructuredTool>> = {
  'tool()': (look) => tool(look, { ...FIELDS, schema }),
  DynamicStructuredTool: (func) => new DynamicStructuredTool({ ...FIELDS, schema, func }),
};

/** Makes a call after the other. What is refused is told to nobody. */
async function byHand(call: (at: number) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < LOOKS; at++) {
    try {
      await call(at);
    } catch (error) {
      if (!isTripped(error)) throw error;
    }
  }
}

const callbacks = [{ handleToolStart: () => {} }];

const WAYS: Readonly<Record<string, (own: StructuredTool, place: Place) => Promise<unknown>>> = {
  'createAgent()': (own, place) =>
    createAgent({ model: looking(LOOKS, place), tools: [own] }).invoke(INPUT, { callbacks }),
  'createReactAgent()': (own, place) =>
    createReactAgent({ llm: looking(LOOKS, place), tools: [own] }).invoke(INPUT),
  'a node of a graph': async (own, place) => {
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('look', async (_state, config) => {
        await byHand((at) => own.invoke({ at: place(at) }, config));
        return {};
      })
      .addEdge(START, 'look')
      .addEdge('look', END)
      .compile();
    await graph.invoke(INPUT, { callbacks });
  },
  'invoke() with arguments': (own, place) => byHand((at) => own.invoke({ at: place(at) })),
  'invoke() with callbacks and a signal': (own, place) =>
    byHand((at) => {
      const { signal } = new AbortController();
      return own.invoke({ at: place(at) }, { callbacks, signal, tags: ['by hand'] });
    }),
  'invoke() with a call': (own, place) =>
    byHand((at) =>
      own.invoke({ type: 'tool_call', id: `call-${at}`, name: 'look', args: { at: place(at) } }),
    ),
};

const RUNS = Object.keys(TOOLS).flatMap((kind) => Object.keys(WAYS).map((way) => [kind, way]));

describe.each(RUNS)('a tool under guard() made with %s and called by %s', (kind, way) => {
  /** Where it has looked in the end. */
  async function looksOf(place: Place): Promise<string[]> {
    const seen: string[] = [];
    const look: Look = async ({ at }) => {
      seen.push(at);
      return 'blue';
    };
    const own = TOOLS[kind as string]?.(guard(look)) as StructuredTool;
    await WAYS[way as string]?.(own, place);
    return seen;
  }

  it('[LCN19] is not called a third time for the same, whatever comes with its input', async () => {
    expect(await looksOf(() => 'sky')).toEqual(['sky', 'sky']);
  });

  it('[LCN19] is called for all that differs', async () => {
    expect(await looksOf((at) => `field ${at}`)).toHaveLength(LOOKS);
  });
});
