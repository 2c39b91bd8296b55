import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Agent } from '@mastra/core/agent';
import { Breaker, MemoryBudgetStore } from '@teamfuse/core';
import { FakeClock } from '@teamfuse/testing';
import { describe, expect, it } from 'vitest';
import { guardAgent } from '../src/index.ts';
import { looking, watcher } from './support/looking.ts';
import { agent, model } from './support/scripted.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** An agent that looks at one star after the other, and a clock whose one timer says that its run goes on. */
function guarded(looks: number) {
  const clock = new FakeClock();
  const { now, timers } = clock;
  const script = looking(looks, (at) => `star ${at}`);
  const { agent, asked } = watcher(script, (at) => `${at} is at ${at.length * 7}`);
  const breaker = new Breaker({ maxRunMs: 60_000, now, timers });
  guardAgent(agent, breaker, { judge: false });
  const running = (): number => {
    collect();
    return clock.waiting;
  };
  const heard = { isFinished: false };
  const onFinish = () => {
    heard.isFinished = true;
  };
  return { ask: () => agent.stream('Look.', { maxSteps: 40, onFinish }), asked, heard, running };
}

describe('a reader of the stream of an agent', () => {
  it('[MAS14] who keeps nothing but the stream goes on with its run', async () => {
    const { ask, asked, heard, running } = guarded(9);
    const reader = (await ask()).fullStream.getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      if (!heard.isFinished) expect([asked(), running()]).toEqual([asked(), 1]);
      await turn();
    }
    expect(asked()).toBe(10);
    await expect.poll(running).toBe(0);
  });

  it('[MAS14] who leaves ends it', async () => {
    const { ask, running } = guarded(9);
    for await (const { type } of (await ask()).fullStream) if (type === 'tool-result') break;
    await expect.poll(running, { timeout: 30_000 }).toBe(0);
  });

  it('[MAS14] who drops it ends it', async () => {
    const { ask, running } = guarded(9);
    await ask();
    await expect.poll(running, { timeout: 30_000 }).toBe(0);
  });
});

describe('a caller who aborts while the model answers', () => {
  const WAYS: Readonly<Record<string, (one: Agent, abortSignal: AbortSignal) => Promise<unknown>>> =
    {
      'generate()': (one, abortSignal) => one.generate('Look.', { abortSignal }),
      'stream()': async (one, abortSignal) => {
        const { fullStream } = await one.stream('Look.', { abortSignal });
        for await (const _ of fullStream);
      },
    };

  it.each(Object.entries(WAYS))(
    '[MAS7] pays for what was asked, and gives its place to the next: %s',
    async (_, ask) => {
      const store = new MemoryBudgetStore();
      const budget = { maxTokens: 100_000, store };
      const breaker = new Breaker({ budget, throttle: { maxConcurrent: 1, maxWaitMs: 5_000 } });
      const controller = new AbortController();
      let asked = 0;
      // It looks at no signal, and answers all the same.
      const deaf = model('v3', 'deaf', async () => {
        if (++asked === 1) controller.abort();
        await turn();
        return { text: 'Done.' };
      });
      const one = agent('watcher', deaf, {}, {}) as unknown as Agent;
      guardAgent(one, breaker, { judge: false });
      await ask(one, controller.signal).catch(() => {});
      await expect.poll(() => store.totals().reserved.tokens).toBe(0);
      expect(breaker.cost.tokens).toBeGreaterThan(0);
      await ask(one, new AbortController().signal);
      expect(asked).toBe(2);
    },
  );
});
