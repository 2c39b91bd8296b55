import type { RequestUsage } from '../client.ts';
import type { FunctionCall } from '../messages.ts';
import {
  badResponse,
  type Field,
  fieldOf,
  isMissing,
  items,
  optionalText,
  unexpected,
} from './wire-fields.ts';
import { type Answer, nameOf, reasoningOf, textOf } from './wire-result.ts';
import { readUsage } from './wire-usage.ts';

/** Puts an answer together from the pieces a stream brings. */
export class StreamedAnswer {
  #text = '';
  #reasoning = '';
  #finishReason: string | undefined;
  #usage: RequestUsage = readUsage(undefined);
  readonly #calls = new Map<number, FunctionCall>();

  /** Takes one chunk and returns its text. Its shape is not trusted either. */
  add(value: unknown): string {
    const chunk = { path: '', value };
    const usage = fieldOf(chunk, 'usage').value;
    if (!isMissing(usage)) this.#usage = readUsage(usage);
    const [choice] = items(fieldOf(chunk, 'choices'));
    if (choice === undefined) return '';
    this.#finishReason = optionalText(fieldOf(choice, 'finish_reason')) || this.#finishReason;
    const delta = fieldOf(choice, 'delta');
    if (isMissing(delta.value)) return '';
    for (const call of items(fieldOf(delta, 'tool_calls'))) this.#addToCall(call);
    this.#reasoning += reasoningOf(delta);
    const text = textOf(delta);
    this.#text += text;
    return text;
  }

  /** The whole answer. A stream that broke off has none, however much of it arrived. */
  finish(): Answer {
    if (this.#finishReason === undefined) throw badResponse('the stream broke off');
    const calls = [...this.#calls.values()];
    for (const [index, { name }] of calls.entries()) {
      nameOf({ path: `choices[0].delta.tool_calls[${index}].function.name`, value: name });
    }
    return {
      text: this.#text,
      calls,
      reasoning: this.#reasoning,
      finishReason: this.#finishReason,
      usage: this.#usage,
    };
  }

  #addToCall(piece: Field): void {
    const index = fieldOf(piece, 'index');
    if (!Number.isSafeInteger(index.value)) throw unexpected(index, 'an integer');
    const at = Number(index.value);
    const call = this.#calls.get(at) ?? { id: '', name: '', arguments: '' };
    const called = fieldOf(piece, 'function');
    const read = (name: string) =>
      isMissing(called.value) ? '' : (optionalText(fieldOf(called, name)) ?? '');
    this.#calls.set(at, {
      id: optionalText(fieldOf(piece, 'id')) ?? call.id,
      name: call.name + read('name'),
      arguments: call.arguments + read('arguments'),
    });
  }
}
