import { Breaker } from '@teamfuse/core';
import { streamText, ToolLoopAgent } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { describe, expect, it } from 'vitest';
import { guardAgent, guardModel } from '../src/index.ts';

const SENTENCE = 'I will check the file once more. ';
const PIECES = 1_000;
const same = (): string => SENTENCE;
const other = (i: number): string => `I will check file ${i} once more. `;

type Kind = 'text' | 'reasoning' | 'tool-input';

const finish = {
  type: 'finish',
  finishReason: { unified: 'stop', raw: 'stop' },
  usage: {
    inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 9_000, text: 9_000, reasoning: 0 },
  },
};

/** A model that streams pieces of one kind, and what became of its stream. */
function streaming(piece: (i: number) => string, kind: Kind = 'text', times = 1) {
  const heard = { given: 0, wasCancelled: false };
  const model = new MockLanguageModelV4({
    modelId: 'gpt-4o',
    doStream: async ({ abortSignal }) => {
      abortSignal?.addEventListener('abort', () => {
        heard.wasCancelled = true;
      });
      return {
        stream: new ReadableStream({
          start(controller) {
            controller.enqueue({ type: 'stream-start', warnings: [] });
            controller.enqueue({ type: `${kind}-start`, id: '1', toolName: 'write' } as never);
          },
          async pull(controller) {
            if (heard.given === PIECES) {
              controller.enqueue({ type: `${kind}-end`, id: '1' } as never);
              controller.enqueue(finish as never);
              controller.close();
              return;
            }
            const delta = piece(heard.given++).repeat(times);
            controller.enqueue({ type: `${kind}-delta`, id: '1', delta } as never);
          },
          cancel() {
            heard.wasCancelled = true;
          },
        }),
      };
    },
  });
  return { model, heard };
}

describe('an answer that has come to repeat itself', () => {
  it.each<[Kind, number]>([
    ['text', 1],
    ['reasoning', 1],
    ['tool-input', 10],
  ])('[AIS20] is cut off in streamText(): %s', async (kind, times) => {
    const { model, heard } = streaming(same, kind, times);
    const breaker = new Breaker();
    const usages: object[] = [];
    breaker.on('signal', ({ signal }) => signal.kind === 'usage' && usages.push(signal));
    const errors: unknown[] = [];
    const stream = streamText({
      model: guardModel(model, breaker),
      prompt: 'Talk.',
      onError: ({ error }) => void errors.push(error),
    });
    for await (const _ of stream.fullStream);
    expect(heard.given).toBeLessThan(250);
    expect(heard.wasCancelled).toBe(true);
    expect(usages).toMatchObject([
      { isPartial: true, repeated: expect.stringContaining('once more. ') },
    ]);
    expect(breaker.stopped[0]?.trip?.kind).toBe('repetition');
    expect(errors).toEqual([]);
    expect((await stream.providerMetadata)?.teamfuse).toMatchObject({ kind: 'repetition' });
  });

  it('[AIS20] ends the run of an agent with what it has', async () => {
    const { model, heard } = streaming(same);
    const agent = new ToolLoopAgent({ id: 'talker', model });
    const breaker = new Breaker();
    guardAgent(agent, breaker, { judge: false });
    const stream = await agent.stream({ prompt: 'Talk.' });
    const text = await stream.text;
    expect(SENTENCE.repeat(PIECES).startsWith(text)).toBe(true);
    expect(text.length).toBeGreaterThan(6_000);
    expect(heard.given).toBeLessThan(250);
    expect(breaker.stopped[0]?.trip?.kind).toBe('repetition');
  });

  it.each<Kind>(['text', 'reasoning'])(
    '[AIS20] passes where each time says something else: %s',
    async (kind) => {
      const { model, heard } = streaming(other, kind);
      const breaker = new Breaker();
      const stream = streamText({ model: guardModel(model, breaker), prompt: 'Talk.' });
      await stream.consumeStream();
      const said = Array.from({ length: PIECES }, (_, i) => other(i)).join('');
      expect((await (kind === 'text' ? stream.text : stream.reasoningText)) === said).toBe(true);
      expect([heard.given, heard.wasCancelled, breaker.stopped]).toEqual([PIECES, false, []]);
    },
  );
});
