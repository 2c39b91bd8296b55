import { Breaker, type Signal } from '@teamfuse/core';
import { adapterContract } from '@teamfuse/testing/adapters';
import { describe, expect, it } from 'vitest';
import { Clerk, type Engine, EventQueue, Pipeline, Thinker, type Token } from './framework.ts';
import { guardPipeline } from './guard.ts';
import { harness } from './harness.ts';

describe('the adapter of a pipeline', () => {
  for (const { id, title, missing, reason, check } of adapterContract(harness)) {
    it(`[${id}] ${title}`, ({ skip }) => {
      skip(missing.length > 0, reason);
      return check();
    });
  }
});

/** Wants a tool first, and then says what it has found. */
function engine(text: string): Engine {
  const answers: Token[][] = [[{ want: { tool: 'look', args: {} } }], [{ text }]];
  return {
    id: 'oracle',
    async *stream() {
      yield* answers.shift() ?? [];
    },
  };
}

it('[ADP13] reports each call of a tool that agents share once, by the agent that calls it', async () => {
  const tools = { look: async () => 'a key' };
  const workers = ['ann', 'bob'].map(
    (name) => new Thinker(name, { engine: engine(`${name} has found a key.`), tools }),
  );
  const breaker = new Breaker();
  const signals: Signal[] = [];
  breaker.on('signal', ({ signal }) => signals.push(signal));
  const line = new Pipeline('line', { workers, hops: 2 });
  using _guard = guardPipeline(line, breaker);
  await line.run('Find the key.');
  const calls = signals.filter(({ kind }) => kind === 'tool-call');
  expect(calls.map(({ agent }) => agent)).toEqual(['ann', 'bob']);
});

it('[ADP11] hands tokens on as they come', async () => {
  const tokens = new EventQueue<Token>();
  let resume = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    resume = resolve;
  });
  const slow: Engine = {
    id: 'oracle',
    async *stream() {
      yield { text: 'First, ' };
      await held;
      yield { text: 'then.' };
    },
  };
  const line = new Pipeline('line', {
    workers: [new Thinker('ann', { engine: slow, tools: {} })],
    hops: 1,
  });
  using _guard = guardPipeline(line, new Breaker());
  const end = line.run('Count.', tokens);
  for await (const token of tokens) {
    expect(token).toEqual({ text: 'First, ' });
    break;
  }
  resume();
  expect((await end).parcels.at(-1)?.text).toBe('First, then.');
});

it('[ADP20] lets a caller cancel while a person is asked', async () => {
  const cancel = new AbortController();
  const ask = (signal?: AbortSignal): Promise<string> =>
    new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason));
      cancel.abort(new Error('The caller has left.'));
    });
  const line = new Pipeline('line', { workers: [new Clerk('dora', { ask })], hops: 1 });
  using _guard = guardPipeline(line, new Breaker());
  await expect(line.run('Ask.', undefined, cancel.signal)).rejects.toThrow('The caller has left.');
});

it('[ADP67] passes its self-test where nobody speaks', async () => {
  const line = new Pipeline('line', {
    workers: [new Clerk('dora', { ask: async () => 'Yes.' })],
    hops: 1,
  });
  using guard = guardPipeline(line, new Breaker());
  expect(await guard.selfTest()).toMatchObject({ isPassed: true });
});
