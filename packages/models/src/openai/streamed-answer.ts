import type { OpenAI } from 'openai';
import type { FunctionCall } from '../messages.ts';
import { type Answer, badResponse, reasoningOf } from './wire-result.ts';

type ToolCallDelta = OpenAI.ChatCompletionChunk.Choice.Delta.ToolCall;

/** Puts an answer together from the pieces a stream brings. */
export class StreamedAnswer {
  #text = '';
  #reasoning = '';
  #finishReason: string | undefined;
  #usage: OpenAI.CompletionUsage | undefined;
  readonly #calls = new Map<number, FunctionCall>();

  /** Takes one chunk and gives the text in it. */
  add(chunk: OpenAI.ChatCompletionChunk): string {
    if (chunk.usage) this.#usage = chunk.usage;
    const choice = chunk.choices?.[0];
    if (choice?.finish_reason) this.#finishReason = choice.finish_reason;
    const delta = choice?.delta;
    if (!delta) return '';
    for (const call of delta.tool_calls ?? []) this.#addToCall(call);
    this.#reasoning += reasoningOf(delta);
    const text = delta.content ?? delta.refusal ?? '';
    this.#text += text;
    return text;
  }

  /** The whole answer. A stream that broke off has none, however much of it arrived. */
  finish(): Answer {
    if (this.#finishReason === undefined) throw badResponse('the stream broke off');
    return {
      text: this.#text,
      calls: [...this.#calls.values()],
      reasoning: this.#reasoning,
      finishReason: this.#finishReason,
      usage: this.#usage,
    };
  }

  #addToCall({ index, id, function: piece }: ToolCallDelta): void {
    const call = this.#calls.get(index) ?? { id: '', name: '', arguments: '' };
    this.#calls.set(index, {
      id: id ?? call.id,
      name: call.name + (piece?.name ?? ''),
      arguments: call.arguments + (piece?.arguments ?? ''),
    });
  }
}
