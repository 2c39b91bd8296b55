import { Agent, type Model, type StreamEvent } from '@openai/agents-core';
import { Breaker } from '@teamfuse/core';
import { describe, expect, it } from 'vitest';
import { guardRunner } from '../src/index.ts';
import { newRunner } from './support/looking.ts';

const SENTENCE = 'I will check the file once more. ';
const PIECES = 1_000;
const same = (): string => SENTENCE;
const other = (i: number): string => `I will check file ${i} once more. `;

/** A model that streams pieces, and what became of its stream. */
function streaming(piece: (i: number) => string) {
  const heard = { given: 0, wasLeft: false };
  const model: Model = {
    getResponse: () => Promise.reject(new Error('not asked')),
    async *getStreamedResponse(): AsyncGenerator<StreamEvent> {
      heard.wasLeft = true;
      yield { type: 'response_started' };
      let text = '';
      while (heard.given < PIECES) {
        const delta = piece(heard.given++);
        text += delta;
        yield { type: 'output_text_delta', delta };
      }
      heard.wasLeft = false;
      const content = [{ type: 'output_text', text }];
      const output = [{ type: 'message', role: 'assistant', status: 'completed', content }];
      const usage = { inputTokens: 10, outputTokens: 9_000, totalTokens: 9_010 };
      yield { type: 'response_done', response: { id: '1', output, usage } } as StreamEvent;
    },
  };
  return { model, heard };
}

/** What a guarded run streams whose model streams these pieces. */
async function streamed(piece: (i: number) => string) {
  const { model, heard } = streaming(piece);
  const runner = newRunner();
  const breaker = new Breaker();
  const usages: object[] = [];
  breaker.on('signal', ({ signal }) => signal.kind === 'usage' && usages.push(signal));
  guardRunner(runner, breaker);
  let text = '';
  let error: unknown;
  try {
    const run = await runner.run(new Agent({ name: 'talker', model }), 'Talk.', { stream: true });
    for await (const event of run) {
      if (event.type !== 'raw_model_stream_event') continue;
      if (event.data.type === 'output_text_delta') text += event.data.delta;
    }
    await run.completed;
  } catch (thrown) {
    error = thrown;
  }
  return { heard, breaker, usages, text, error };
}

describe('an answer that has come to repeat itself', () => {
  it('[OAG19] is cut off, and its run is stopped', async () => {
    const { heard, breaker, usages, text, error } = await streamed(same);
    expect(error).toMatchObject({ code: 'TRIPPED', trip: { kind: 'repetition' } });
    expect(heard.given).toBeLessThan(250);
    expect(heard.wasLeft).toBe(true);
    expect(SENTENCE.repeat(PIECES).startsWith(text)).toBe(true);
    expect(breaker.stopped).toHaveLength(1);
    expect(usages).toMatchObject([{ isPartial: true, repetitions: expect.any(Number) }]);
  });

  it('[OAG19] passes where each time says something else', async () => {
    const { heard, breaker, text, error } = await streamed(other);
    const said = Array.from({ length: PIECES }, (_, i) => other(i)).join('');
    expect([text === said, error, heard.wasLeft]).toEqual([true, undefined, false]);
    expect(breaker.stopped).toEqual([]);
  });
});
