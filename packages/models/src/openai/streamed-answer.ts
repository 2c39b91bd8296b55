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

type Call = { -readonly [K in keyof FunctionCall]: FunctionCall[K] };

/** Puts an answer together from the pieces a stream brings. */
export class StreamedAnswer {
  #text = '';
  #reasoning = '';
  #finishReason: string | undefined;
  #usage: RequestUsage = readUsage(undefined);
  readonly #calls: Call[] = [];
  /** The call at each index. */
  readonly #latest = new Map<unknown, Call>();

  /** Takes one chunk and returns its text. Its shape is not trusted either. */
  add(value: unknown): string {
    const chunk = { path: '', value };
    const usage = fieldOf(chunk, 'usage').value;
    if (!isMissing(usage)) this.#usage = readUsage(usage);
    const choice = items(fieldOf(chunk, 'choices')).find(isFirst);
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
    const calls = this.#calls;
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
    const called = fieldOf(piece, 'function');
    const read = (from: Field, name: string): string =>
      isMissing(from.value) ? '' : (optionalText(fieldOf(from, name)) ?? '');
    const id = read(piece, 'id');
    const name = read(called, 'name');
    const call = this.#callOf(fieldOf(piece, 'index'), id, name);
    call.id ||= id;
    call.name += name;
    call.arguments += read(called, 'arguments');
  }

  /** The call that a piece belongs to. Some servers give all calls of an answer the same index, or none. */
  #callOf(index: Field, id: string, name: string): Call {
    const at = index.value ?? undefined;
    if (at !== undefined && !Number.isSafeInteger(at)) throw unexpected(index, 'an integer');
    const latest = this.#latest.get(at);
    const isAnother = name !== '' && (at === undefined || (id !== '' && id !== latest?.id));
    if (latest !== undefined && !isAnother) return latest;
    const call = { id: '', name: '', arguments: '' };
    this.#latest.set(at, call);
    this.#calls.push(call);
    return call;
  }
}

/** Of several answers, the first one counts. */
function isFirst(choice: Field): boolean {
  return (fieldOf(choice, 'index').value ?? 0) === 0;
}
