import { InvalidSignalError } from './errors.ts';

/** Anything JSON can hold. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/** A value that may be there at once or come later, so that state can be shared between processes. */
export type MaybePromise<T> = T | Promise<T>;

/** Deeper data is refused, so that walking a signal cannot exhaust the stack. */
const MAX_JSON_DEPTH = 256;

/** Throws {@link InvalidSignalError} naming the path of the first part that is not JSON. @internal */
export function checkJson(path: string, value: unknown, depth = 0): void {
  if (depth > MAX_JSON_DEPTH) {
    throw new InvalidSignalError(path, `JSON of at most ${MAX_JSON_DEPTH} levels`, value);
  }
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return;
  if (typeof value === 'number' && Number.isFinite(value)) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) checkJson(`${path}[${index}]`, item, depth + 1);
    return;
  }
  if (typeof value !== 'object') throw new InvalidSignalError(path, 'JSON', value);
  for (const key of Object.keys(value)) {
    checkJson(`${path}.${key}`, (value as Record<string, unknown>)[key], depth + 1);
  }
}

/**
 * Turns any value into JSON data, for taps that must put what a framework hands them into a signal.
 *
 * Goes by `JSON.stringify`; what it cannot express (cycles, big integers, functions) becomes its text. Never throws.
 */
export function toJson(value: unknown): JsonValue {
  try {
    const text = JSON.stringify(value);
    if (text !== undefined) return JSON.parse(text) as JsonValue;
  } catch {
    // Cycles, big integers and throwing getters have no JSON form.
  }
  return describe(value);
}

function describe(value: unknown): string {
  try {
    return String(value);
  } catch {
    return `[${typeof value}]`;
  }
}
