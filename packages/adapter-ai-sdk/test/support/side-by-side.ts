import { Breaker, type Signal } from '@teamfuse/core';
import * as ai from 'ai';
import { expect } from 'vitest';
import { guardModel, guardTools, tripOf, tripped } from '../../src/index.ts';
import { looking, tools } from './looking.ts';

type Call = (
  given: Parameters<typeof ai.generateText>[0],
) => Promise<{ readonly steps: readonly object[] }>;

export const WAYS: readonly (readonly [string, Call])[] = [
  ['whole', ai.generateText],
  ['streamed', streamed],
];

/** Makes so many calls side by side, every other one in circles: each has a conversation of its own. */
export async function callSideBySide(count: number, call: Call): Promise<void> {
  const breaker = new Breaker();
  const signals = new Map<string, Signal[]>();
  breaker.on('signal', ({ conversation, signal }) => {
    signals.set(conversation, [...(signals.get(conversation) ?? []), signal]);
  });
  const headers = { authorization: 'the same for all' };
  const calls = Array.from({ length: count }, (_, run) => {
    const loops = run % 2 === 0;
    return call({
      model: guardModel(
        looking(loops ? 20 : 5, (at) => (loops ? `${run}` : `${run} ${at}`)),
        breaker,
      ),
      tools: guardTools(
        tools((at) => `seen ${at}`),
        breaker,
        { agent: `agent ${run}` },
      ),
      stopWhen: [ai.isStepCount(20), tripped(breaker)],
      prompt: 'Look.',
      ...(run % 4 < 2 && { headers }),
    });
  });
  const results = await Promise.all(calls);
  for (const [run, { steps }] of results.entries()) {
    const last = steps.at(-1) ?? {};
    expect(tripOf(last)?.kind).toBe(run % 2 === 0 ? 'repetition' : undefined);
    expect(steps).toHaveLength(run % 2 === 0 ? 3 : 6);
  }
  for (const told of signals.values()) {
    const runs = told.filter(({ kind }) => kind === 'tool-call').map(({ agent }) => agent);
    expect(new Set(runs).size).toBeLessThanOrEqual(1);
  }
  expect(signals.size).toBe(count);
}

/** The steps of a call that streams. */
async function streamed(given: Parameters<typeof ai.streamText>[0]) {
  const result = ai.streamText(given);
  await result.consumeStream();
  return { steps: await result.steps };
}
