import type { OptionTable, WithDefaults } from '@teamfuse/core/options';
import { type Fields, fieldsOf } from '../fields.ts';
import { excessIn } from '../json-size.ts';
import { CallerMistake } from './caller-mistake.ts';
import { MAX_BODY_BYTES } from './read-whole.ts';

/** How much a request to a model may hold. What holds more is refused before any work, with status 400. */
export interface RequestBounds {
  /** Most bytes of a body, both as it was sent and unpacked. @defaultValue 67_108_864, which is 64 MB */
  readonly maxBytes?: number;
  /** Most messages of a history. @defaultValue 50_000 */
  readonly maxMessages?: number;
  /** Most parts of a body together: each field and each entry of a list, at any depth. @defaultValue 500_000 */
  readonly maxParts?: number;
  /** How deep lists and objects may lie in each other. @defaultValue 200 */
  readonly maxDepth?: number;
}

/** {@link RequestBounds} with the defaults filled in. */
export interface CheckedBounds extends WithDefaults<RequestBounds> {}

export const BOUND_OPTIONS: OptionTable<RequestBounds> = {
  maxBytes: { type: 'integer', min: 1, max: 2 ** 29, default: MAX_BODY_BYTES },
  maxMessages: { type: 'integer', min: 1, default: 50_000 },
  maxParts: { type: 'integer', min: 1, default: 500_000 },
  maxDepth: { type: 'integer', min: 1, max: 1_000, default: 200 },
};

/** The mistake of a caller whose body is too long. */
export function tooLong({ maxBytes }: Pick<CheckedBounds, 'maxBytes'>): CallerMistake {
  return tooMuch(`has a body of more than ${maxBytes} bytes`, 'maxBytes');
}

/**
 * The fields of a body.
 *
 * @throws CallerMistake for a body that holds too much, or is JSON in part. Error for one that is none at all.
 */
export function boundedBody(text: string, bounds: CheckedBounds): Fields {
  const excess = excessIn(text, bounds);
  if (excess === 'maxParts') throw tooMuch(`has more than ${bounds.maxParts} parts`, excess);
  if (excess === 'maxDepth') throw tooMuch(`is nested deeper than ${bounds.maxDepth}`, excess);
  const read = jsonIn(text);
  if (Array.isArray(read)) throw new CallerMistake('its body is a JSON list, not an object');
  const body = fieldsOf(read);
  const { messages, input, contents, request } = body;
  for (const list of [messages, input, contents, fieldsOf(request).contents]) {
    if (!Array.isArray(list) || list.length <= bounds.maxMessages) continue;
    throw tooMuch(`has ${list.length} messages, more than ${bounds.maxMessages}`, 'maxMessages');
  }
  return body;
}

/** An object, whatever its encoding. Some servers take what is no JSON, such as NaN, and would answer what nobody has booked. */
const LIKE_OBJECT = /^[^!-~]*\{/;

/** Without what the parser says: it quotes the text, which belongs to the caller. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    if (LIKE_OBJECT.test(text)) throw new CallerMistake('its body is no JSON in UTF-8');
    throw new Error('its body is no JSON');
  }
}

function tooMuch(what: string, bound: keyof RequestBounds): CallerMistake {
  return new CallerMistake(`the request ${what} (bounds.${bound})`);
}
