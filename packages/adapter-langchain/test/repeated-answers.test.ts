import type { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager';
import { AIMessageChunk, type BaseMessage, HumanMessage } from '@langchain/core/messages';
import { ChatGenerationChunk } from '@langchain/core/outputs';
import { Breaker } from '@teamfuse/core';
import { createAgent } from 'langchain';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { guardGraph } from '../src/index.ts';
import { ScriptedModel } from './support/scripted-model.ts';

// LangChain writes what its callbacks refuse to the console.
beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}));

const SENTENCE = 'I will check the file once more. ';
const PIECES = 1_000;
const same = (): string => SENTENCE;
const other = (i: number): string => `I will check file ${i} once more. `;

/** A chat model that streams pieces, and says how many it has given and whether its reader has left. */
class StreamingModel extends ScriptedModel {
  given = 0;
  wasLeft = false;
  readonly #piece: (i: number) => string;

  constructor(piece: (i: number) => string) {
    super('gpt-4o', () => ({ text: '' }));
    this.#piece = piece;
  }

  override async *_streamResponseChunks(
    _messages: BaseMessage[],
    _options: this['ParsedCallOptions'],
    manager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    this.wasLeft = true;
    while (this.given < PIECES) {
      const text = this.#piece(this.given++);
      const message = new AIMessageChunk({ content: text });
      yield new ChatGenerationChunk({ text, message });
      await manager?.handleLLMNewToken(text);
    }
    this.wasLeft = false;
  }
}

/** What a guarded agent streams whose model streams these pieces. */
async function streamed(piece: (i: number) => string) {
  const model = new StreamingModel(piece);
  const agent = createAgent({ model, tools: [] });
  const breaker = new Breaker();
  const usages: object[] = [];
  breaker.on('signal', ({ signal }) => signal.kind === 'usage' && usages.push(signal));
  guardGraph(agent, breaker, { judge: false });
  let text = '';
  let error: unknown;
  try {
    const input = { messages: [new HumanMessage('Talk.')] };
    const stream = await agent.stream(input, { streamMode: 'messages' });
    for await (const [chunk] of stream) text += chunk.text;
  } catch (thrown) {
    error = thrown;
  }
  return { model, breaker, usages, text, error };
}

describe('an answer that has come to repeat itself', () => {
  it('[LCN24] is cut off, and its run is stopped', async () => {
    const { model, breaker, usages, text, error } = await streamed(same);
    expect(breaker.stopped[0]?.trip?.kind).toBe('repetition');
    expect(error).toMatchObject({ code: 'TRIPPED', trip: { kind: 'repetition' } });
    expect(model.given).toBeLessThan(250);
    expect(SENTENCE.repeat(PIECES).startsWith(text)).toBe(true);
    expect(model.wasLeft).toBe(true);
    expect(usages).toMatchObject([{ isPartial: true, repetitions: expect.any(Number) }]);
  });

  it('[LCN24] passes where each time says something else', async () => {
    const { model, breaker, text, error } = await streamed(other);
    const said = Array.from({ length: PIECES }, (_, i) => other(i)).join('');
    expect([text === said, error, model.wasLeft, breaker.stopped]).toEqual([
      true,
      undefined,
      false,
      [],
    ]);
  });
});
