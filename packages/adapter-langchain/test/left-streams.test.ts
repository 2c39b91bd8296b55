import { HumanMessage } from '@langchain/core/messages';
import { MemorySaver } from '@langchain/langgraph';
import { Breaker, type Signal } from '@teamfuse/core';
import { createAgent } from 'langchain';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { guardGraph } from '../src/index.ts';
import { lookTool } from './support/looking.ts';
import { type Answer, ScriptedModel } from './support/scripted-model.ts';

// LangChain writes what its callbacks refuse to the console.
beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}));

const ROUNDS = 8;
const CONFIG = { streamMode: 'updates', configurable: { thread_id: 'chat' } } as const;

/** A chat in one thread, and what is reported of its calls. `use` is what its tool does, and `answer` what its model says. */
function chat(
  answer: (signal: AbortSignal | undefined) => Answer | Promise<Answer>,
  use?: () => Promise<string>,
) {
  const breaker = new Breaker();
  const ends: Signal[] = [];
  breaker.on('signal', ({ signal }) => {
    if (signal.kind === 'usage' || signal.kind === 'tool-call') ends.push(signal);
  });
  const agent = createAgent({
    model: new ScriptedModel('m', (_, signal) => answer(signal)),
    tools: [lookTool(use)],
    checkpointer: new MemorySaver(),
  });
  guardGraph(agent, breaker, { judge: false });
  let round = 0;
  const ask = () => agent.stream({ messages: [new HumanMessage(`Look ${++round}.`)] }, CONFIG);
  return { ask, ends, breaker };
}

/** Says that a call has begun, and is cut off with the signal. */
function hanging(signal: AbortSignal | undefined, begun: () => void): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason));
    begun();
  });
}

describe('a reader who leaves the stream of a graph again and again', () => {
  let looks = 0;
  const looking = (): Answer => ({
    text: '',
    calls: [{ id: `call-${++looks}`, tool: 'look', args: { at: `field ${looks}` } }],
  });

  it('[LCN13] cuts off its model, which has not failed', async () => {
    let begun = (): void => {};
    let asked = 0;
    const { ask, ends, breaker } = chat((signal) =>
      asked++ % 2 === 0 ? looking() : hanging(signal, begun),
    );
    for (let round = 1; round <= ROUNDS; round++) {
      const isAsked = new Promise<void>((resolve) => {
        begun = resolve;
      });
      const reader = (await ask()).getReader();
      for (let updates = 0; updates < 2; updates++) await reader.read();
      const waiting = reader.read();
      await isAsked;
      await reader.cancel();
      expect(await waiting).toMatchObject({ done: true });
      await vi.waitFor(() => expect(ends).toHaveLength(3 * round));
    }
    expect(ends.filter((end) => 'error' in end)).toEqual([]);
    expect(breaker.stopped).toEqual([]);
  });
});

describe('a model that aborts itself', () => {
  it('[LCN13] has failed where its reader stays, and is stopped', async () => {
    const { ask, breaker } = chat(() => {
      throw new DOMException('timed out', 'AbortError');
    });
    const read = async (): Promise<void> => {
      for await (const _ of await ask());
    };
    for (let round = 0; round < ROUNDS; round++) await expect(read()).rejects.toThrow();
    expect(breaker.stopped[0]?.trip?.reason).toContain('failed five times in a row');
  });
});
