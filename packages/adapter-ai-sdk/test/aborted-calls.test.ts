import { Breaker, type Signal } from '@teamfuse/core';
import * as ai from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { breakerTelemetry } from '../src/index.ts';
import { type Answer, type Question, scripted } from './support/models.ts';

const ROUNDS = 8;
const LOOK: Answer = { text: '', calls: [{ id: 'c1', tool: 'look', args: { at: 'sky' } }] };

/** Aborts, and ends as a fetch does then. */
function cut(leaving: AbortController): never {
  leaving.abort();
  throw leaving.signal.reason;
}

/** A chat whose calls are guarded by telemetry, and what it reports of them. */
function chat() {
  const breaker = new Breaker();
  const ends: Signal[] = [];
  breaker.on('signal', ({ signal }) => {
    if (signal.kind === 'usage' || signal.kind === 'tool-call') ends.push(signal);
  });
  const telemetry = { integrations: breakerTelemetry(breaker, { conversation: 'chat' }) };
  let asked = 0;
  const ask = async (answer: () => Answer, use: () => string, abortSignal?: AbortSignal) => {
    const answered = ({ signal }: Question): Answer => {
      asked++;
      signal?.throwIfAborted();
      return answer();
    };
    await ai.generateText({
      model: new MockLanguageModelV4(scripted(answered) as unknown as MockLanguageModelV4),
      tools: {
        look: ai.tool({ inputSchema: z.object({ at: z.string() }), execute: async () => use() }),
      },
      stopWhen: ai.isStepCount(ROUNDS),
      prompt: 'Look.',
      telemetry,
      ...(abortSignal && { abortSignal }),
    });
  };
  return { ask, asked: () => asked, telemetry, ends, breaker };
}

/** Asks again and again, and leaves each time. */
async function leftAgain(ask: (leaving: AbortController) => Promise<unknown>): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    await expect(ask(new AbortController())).rejects.toThrow('aborted');
  }
}

describe('a call under telemetry', () => {
  it('[AIS23] has not failed where its caller aborts the model', async () => {
    const { ask, ends, breaker } = chat();
    await leftAgain((leaving) =>
      ask(
        () => cut(leaving),
        () => 'blue',
        leaving.signal,
      ),
    );
    expect(ends).toHaveLength(ROUNDS);
    expect(ends.filter((end) => 'error' in end)).toEqual([]);
    expect(breaker.stopped).toEqual([]);
  });

  it('[AIS23] has not failed where its caller aborts a stream', async () => {
    const { telemetry, ends } = chat();
    const leaving = new AbortController();
    const { fullStream } = ai.streamText({
      model: new MockLanguageModelV4({
        doStream: async () => ({
          stream: new ReadableStream({ pull: () => cut(leaving) }),
        }),
      }),
      prompt: 'Look.',
      telemetry,
      abortSignal: leaving.signal,
    });
    for await (const part of fullStream) expect(part.type).not.toBe('error');
    expect(ends).toMatchObject([{ kind: 'usage', isPartial: true }]);
    expect(ends[0]).not.toHaveProperty('error');
  });

  it('[AIS23] has not failed where its caller aborts a tool', async () => {
    const { ask, ends, breaker } = chat();
    await leftAgain((leaving) =>
      ask(
        () => LOOK,
        () => cut(leaving),
        leaving.signal,
      ),
    );
    expect(ends.filter(({ kind }) => kind === 'tool-call')).toEqual([]);
    expect(breaker.stopped).toEqual([]);
  });

  it('[AIS23] has failed where a tool aborts itself, and the third that is the same is not made', async () => {
    const { ask, asked, ends, breaker } = chat();
    let calls = 0;
    await ask(
      () => ({ text: '', calls: [{ id: `c${++calls}`, tool: 'look', args: { at: 'sky' } }] }),
      () => cut(new AbortController()),
    );
    expect(ends.filter(({ kind }) => kind === 'tool-call')).toMatchObject([
      { error: { code: 'AbortError' } },
      { error: { code: 'AbortError' } },
    ]);
    expect(breaker.stopped[0]?.trip?.reason).toContain('for the third time');
    expect(asked()).toBe(3);
  });
});
