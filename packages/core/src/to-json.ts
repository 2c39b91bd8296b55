import { InvalidSignalError } from './errors.ts';
import type { JsonValue } from './json.ts';

/** Deeper data is refused, so that walking a signal cannot exhaust the stack. */
const MAX_JSON_DEPTH = 256;

/** Throws {@link InvalidSignalError} naming the path of the first part that is not JSON. @internal */
export function checkJson(path: string, value: unknown): void {
  // Nearly always it is JSON, and the path of what is none need not be put together.
  if (!isJson(value, 0)) checkParts(path, value, 0);
}

function isJson(value: unknown, depth: number): boolean {
  if (depth > MAX_JSON_DEPTH) return false;
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object') return false;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) if (!isJson(value[i], depth + 1)) return false;
    return true;
  }
  if (!isPlain(value)) return false;
  for (const key of Object.keys(value)) {
    if (!isJson((value as Record<string, unknown>)[key], depth + 1)) return false;
  }
  return true;
}

function checkParts(path: string, value: unknown, depth: number): void {
  if (depth > MAX_JSON_DEPTH) {
    throw new InvalidSignalError(path, `JSON of at most ${MAX_JSON_DEPTH} levels`, value);
  }
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return;
  if (typeof value === 'number' && Number.isFinite(value)) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) checkParts(`${path}[${index}]`, item, depth + 1);
    return;
  }
  if (typeof value !== 'object' || !isPlain(value)) {
    throw new InvalidSignalError(path, 'JSON', value);
  }
  for (const key of Object.keys(value)) {
    checkParts(`${path}.${key}`, (value as Record<string, unknown>)[key], depth + 1);
  }
}

/** Whether `value` is a bare object, of whatever realm; an instance of a class says more than JSON keeps of it. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/**
 * Turns any value into JSON data, for taps that must put what a framework hands them into a signal.
 *
 * Goes by `JSON.stringify`; what it cannot express (references back, big integers, functions) becomes a text in its
 * place, and so does the whole when it is too deep for a signal. Never throws.
 */
export function toJson(value: unknown): JsonValue {
  const text = stringify(value) ?? stringify(value, expressible());
  if (text === undefined) return describe(value);
  return readJson(text);
}

/** The JSON that a text holds; what holds none, or any that is too deep for a signal, stays text. Never throws. */
export function readJson(text: string): JsonValue {
  try {
    const json = JSON.parse(text) as JsonValue;
    checkJson('value', json);
    return json;
  } catch {
    return text;
  }
}

function stringify(value: unknown, replacer?: Replacer): string | undefined {
  try {
    return JSON.stringify(value, replacer);
  } catch {
    return undefined;
  }
}

type Replacer = (this: unknown, key: string, value: unknown) => unknown;

/** Puts texts in place of big integers and of references back to what is being written. */
function expressible(): Replacer {
  const around: unknown[] = [];
  return function (this: unknown, _key, value) {
    if (typeof value === 'bigint') return String(value);
    if (typeof value !== 'object' || value === null) return value;
    while (around.length > 0 && around.at(-1) !== this) around.pop();
    if (around.includes(value)) return '[circular]';
    around.push(value);
    return value;
  };
}

function describe(value: unknown): string {
  try {
    return String(value);
  } catch {
    return `[${typeof value}]`;
  }
}
