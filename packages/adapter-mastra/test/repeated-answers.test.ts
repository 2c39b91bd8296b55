import { Breaker } from '@teamfuse/core';
import { describe, expect, it } from 'vitest';
import { guardAgent } from '../src/index.ts';
import { agent } from './support/scripted.ts';

const SENTENCE = 'I will check the file once more. ';
const PIECES = 1_000;
const same = (): string => SENTENCE;
const other = (i: number): string => `I will check file ${i} once more. `;

/** A model that streams pieces, and what became of its stream. */
function streaming(piece: (i: number) => string) {
  const heard = { given: 0, wasCancelled: false };
  const doStream = async () => ({
    stream: new ReadableStream({
      start(controller) {
        controller.enqueue({ type: 'stream-start', warnings: [] });
        controller.enqueue({ type: 'text-start', id: '1' });
      },
      pull(controller) {
        if (heard.given < PIECES) {
          controller.enqueue({ type: 'text-delta', id: '1', delta: piece(heard.given++) });
          return;
        }
        controller.enqueue({ type: 'text-end', id: '1' });
        const usage = { inputTokens: { total: 10 }, outputTokens: { total: 9_000 } };
        const finishReason = { unified: 'stop', raw: 'stop' };
        controller.enqueue({ type: 'finish', finishReason, usage });
        controller.close();
      },
      cancel() {
        heard.wasCancelled = true;
      },
    }),
  });
  const about = { specificationVersion: 'v3', provider: 'scripted', modelId: 'gpt-4o' };
  return { model: { ...about, supportedUrls: {}, doStream, doGenerate: doStream }, heard };
}

/** What a guarded agent streams whose model streams these pieces. */
async function streamed(piece: (i: number) => string) {
  const { model, heard } = streaming(piece);
  const own = agent('talker', model, {}) as unknown as import('@mastra/core/agent').Agent;
  const breaker = new Breaker();
  const usages: object[] = [];
  breaker.on('signal', ({ signal }) => signal.kind === 'usage' && usages.push(signal));
  guardAgent(own, breaker, { judge: false });
  const stream = await own.stream('Talk.');
  const text = await stream.text;
  return { heard, breaker, usages, text };
}

describe('an answer that has come to repeat itself', () => {
  it('[MAS16] is cut off, and its run ends with what it has', async () => {
    const { heard, breaker, usages, text } = await streamed(same);
    expect(breaker.stopped[0]?.trip?.kind).toBe('repetition');
    expect(heard.given).toBeLessThan(250);
    expect(heard.wasCancelled).toBe(true);
    expect(SENTENCE.repeat(PIECES).startsWith(text)).toBe(true);
    expect(usages).toMatchObject([{ isPartial: true, repetitions: expect.any(Number) }]);
  });

  it('[MAS16] passes where each time says something else', async () => {
    const { heard, breaker, text } = await streamed(other);
    const said = Array.from({ length: PIECES }, (_, i) => other(i)).join('');
    expect([text === said, heard.wasCancelled, breaker.stopped]).toEqual([true, false, []]);
  });
});
