import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Breaker } from '@teamfuse/core';
import { FakeClock } from '@teamfuse/testing';
import { streamText, ToolLoopAgent } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { describe, expect, it } from 'vitest';
import { guardAgent, guardModel } from '../src/index.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A model that talks until its stream is cancelled. */
const talking = (): MockLanguageModelV4 =>
  new MockLanguageModelV4({
    modelId: 'gpt-4o',
    doStream: async () => ({
      stream: new ReadableStream({
        start(controller) {
          controller.enqueue({ type: 'stream-start', warnings: [] });
          controller.enqueue({ type: 'text-start', id: '1' });
        },
        async pull(controller) {
          await turn();
          controller.enqueue({ type: 'text-delta', id: '1', delta: 'word ' });
        },
      }),
    }),
  });

type Ask = (abortSignal?: AbortSignal) => ReturnType<typeof streamText>;

const WAYS: Readonly<Record<string, (ask: Ask) => Promise<unknown>>> = {
  'reads three words and breaks off': async (ask) => {
    let read = 0;
    for await (const _ of ask().textStream) if (++read === 3) break;
  },
  'cancels its reader': async (ask) => {
    const reader = ask().fullStream.getReader();
    await reader.read();
    await reader.cancel();
  },
  'aborts while it reads': async (ask) => {
    const leaving = new AbortController();
    let read = 0;
    for await (const { type } of ask(leaving.signal).fullStream) {
      if (type === 'text-delta' && ++read === 3) leaving.abort();
    }
  },
  'aborts after a part, and reads no more': async (ask) => {
    const leaving = new AbortController();
    const reader = ask(leaving.signal).fullStream.getReader();
    await reader.read();
    await turn();
    leaving.abort();
  },
  'aborts, and reads nothing': async (ask) => {
    const leaving = new AbortController();
    ask(leaving.signal);
    for (let i = 0; i < 20; i++) await turn();
    leaving.abort();
  },
  'drops it': async (ask) => {
    ask();
    for (let i = 0; i < 20; i++) await turn();
  },
};

describe('a reader of streamText()', () => {
  it.each(Object.entries(WAYS))(
    '[AIS12] who %s is booked, and gives its place to the next',
    async (_, leave) => {
      const breaker = new Breaker({ throttle: { maxConcurrent: 1, maxWaitMs: 20_000 } });
      const usages: object[] = [];
      breaker.on('signal', ({ signal }) => signal.kind === 'usage' && usages.push(signal));
      const model = guardModel(talking(), breaker);
      const ask: Ask = (abortSignal) =>
        streamText({
          model,
          prompt: 'Talk.',
          onError: () => {},
          ...(abortSignal && { abortSignal }),
        });
      await leave(ask);
      const isBooked = (): number => {
        collect();
        return usages.length;
      };
      await expect.poll(isBooked, { timeout: 10_000 }).toBe(1);
      expect(usages).toMatchObject([{ isPartial: true }]);
      for await (const text of ask().textStream) {
        expect(text).toBe('word ');
        break;
      }
    },
  );
});

describe('a stream of a guarded model that is aborted, and not cancelled', () => {
  /** A breaker that counts what is booked, and the stream of a talking model. */
  async function opened(abortSignal: AbortSignal) {
    const breaker = new Breaker();
    const usages: object[] = [];
    breaker.on('signal', ({ signal }) => signal.kind === 'usage' && usages.push(signal));
    const model = guardModel(talking(), breaker);
    const { stream } = await model.doStream({ prompt: [], abortSignal });
    return { usages, stream };
  }

  it('[AIS12] is booked at once', async () => {
    const leaving = new AbortController();
    const { usages, stream } = await opened(leaving.signal);
    await stream.getReader().read();
    leaving.abort();
    await turn();
    expect(usages).toMatchObject([{ isPartial: true }]);
  });

  it('[AIS12] fails with the reason for whoever reads on', async () => {
    const leaving = new AbortController();
    const { stream } = await opened(leaving.signal);
    const reading = async (): Promise<void> => {
      for await (const _ of stream) leaving.abort(new Error('The user has left.'));
    };
    await expect(reading()).rejects.toThrow('The user has left.');
  });
});

type AskAgent = (abortSignal?: AbortSignal) => Promise<Awaited<ReturnType<Ask>>>;

const AGENT_WAYS: Readonly<Record<string, (ask: AskAgent) => Promise<unknown>>> = {
  'reads three words and breaks off': async (ask) => {
    let read = 0;
    for await (const _ of (await ask()).textStream) if (++read === 3) break;
  },
  'aborts, and reads nothing': async (ask) => {
    const leaving = new AbortController();
    await ask(leaving.signal);
    leaving.abort();
  },
  'drops it': async (ask) => {
    await ask();
  },
};

describe('a reader of the stream of an agent', () => {
  /** An agent, and a clock whose one timer says that its run goes on. */
  function guarded() {
    const clock = new FakeClock();
    const { now, timers } = clock;
    const agent = new ToolLoopAgent({ id: 'talker', model: talking() });
    guardAgent(agent, new Breaker({ maxRunMs: 60_000, now, timers }), { judge: false });
    const ask: AskAgent = async (abortSignal) =>
      agent.stream({ prompt: 'Talk.', ...(abortSignal && { abortSignal }) }) as never;
    const running = (): number => {
      collect();
      return clock.waiting;
    };
    return { ask, running };
  }

  it.each(Object.entries(AGENT_WAYS))('[AIS13] who %s ends its run', async (_, leave) => {
    const { ask, running } = guarded();
    await leave(ask);
    await expect.poll(running, { timeout: 10_000 }).toBe(0);
  });

  it('[AIS13] who keeps nothing but the stream does not', async () => {
    const { ask, running } = guarded();
    const reader = (await ask()).fullStream.getReader();
    for (let i = 0; i < 20; i++) {
      await reader.read();
      expect(running()).toBe(1);
      await turn();
    }
    await reader.cancel();
  });
});
