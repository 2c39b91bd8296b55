import { uniqueId } from './clock.ts';
import { InvalidSignalError } from './errors.ts';
import type { JsonValue } from './json.ts';

/** Deeper data is refused, so that walking a signal cannot exhaust the stack. */
const MAX_JSON_DEPTH = 256;

/** Throws {@link InvalidSignalError} naming the path of the first part that is not JSON. */
export function checkJson(path: string, value: unknown): void {
  const fault = faultIn(value, 0);
  if (fault) throw new InvalidSignalError(path + fault.path, fault.expected, fault.value);
}

/** The first part of a value that is not JSON. Its path is built only if there is one. */
interface Fault {
  readonly path: string;
  readonly expected: string;
  readonly value: unknown;
}

function faultIn(value: unknown, depth: number): Fault | undefined {
  if (depth > MAX_JSON_DEPTH) {
    return { path: '', expected: `JSON of at most ${MAX_JSON_DEPTH} levels`, value };
  }
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return undefined;
  if (typeof value === 'number' && Number.isFinite(value)) return undefined;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const fault = faultIn(value[i], depth + 1);
      if (fault) return { ...fault, path: `[${i}]${fault.path}` };
    }
    return undefined;
  }
  if (typeof value !== 'object' || !isPlain(value)) return { path: '', expected: 'JSON', value };
  for (const key of Object.keys(value)) {
    const fault = faultIn((value as Record<string, unknown>)[key], depth + 1);
    if (fault) return { ...fault, path: `.${key}${fault.path}` };
  }
  return undefined;
}

/** Whether `value` is a plain object of any realm: an instance of a class may hold more than its fields. */
export function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/**
 * Converts any value to JSON data, for taps that put a framework's values into signals. Never throws.
 *
 * Works like `JSON.stringify`. Whatever JSON cannot express becomes a text: circular references, big integers, functions, and
 * opaque objects such as streams, requests and responses. Opaque objects cannot be compared, so each occurrence gets a
 * new number: `[Request #7]`. Objects with a `toJSON` method or with fields are written by those; maps, sets, headers and
 * forms, by their entries; a response that reports an error, by its status; a value that is an error, by its name and
 * message. A value too deep for a signal becomes its JSON text.
 */
export function toJson(value: unknown): JsonValue {
  return writeJson(value, marked);
}

/** The value itself if it is JSON, or else {@link toJson} of it. */
export function asJson(value: unknown): JsonValue {
  try {
    if (faultIn(value, 0) === undefined) return value as JsonValue;
  } catch {
    // It cannot be read.
  }
  return toJson(value);
}

/** Writes what JSON cannot express, a function or an opaque object: as text, or not at all. */
type Opaque = (value: object, holder: unknown, key: string) => string | undefined;

/** {@link toJson} with opaque objects as `opaque` writes them. */
export function writeJson(value: unknown, opaque: Opaque): JsonValue {
  try {
    if (value instanceof Error) return String(value);
    const text = JSON.stringify(value, faultIn(value, 0) && expressible(opaque));
    return text === undefined ? describe(value) : readJson(text);
  } catch {
    return describe(value);
  }
}

/** How a text begins that may be JSON: to try and fail costs much more than to look. */
const JSON_BEGINNING = /^[ \t\n\r]*(?:[[{"\d-]|true|false|null)/;

/** Parses JSON; a text that is not JSON, or too deep for a signal, is returned as it is. Never throws. */
export function readJson(text: string): JsonValue {
  if (typeof text !== 'string') return toJson(text);
  if (!JSON_BEGINNING.test(text)) return text;
  try {
    const json = JSON.parse(text) as JsonValue;
    checkJson('value', json);
    return json;
  } catch {
    return text;
  }
}

type Replacer = (this: unknown, key: string, value: unknown) => unknown;

/** Replaces whatever JSON cannot express with texts. */
function expressible(opaque: Opaque): Replacer {
  const around: unknown[] = [];
  return function (this: unknown, key, value) {
    if (typeof value === 'bigint') return String(value);
    if (typeof value === 'function') {
      return Array.isArray(this) ? opaque(value, this, key) : undefined;
    }
    if (typeof value !== 'object' || value === null) return value;
    while (around.length > 0 && around.at(-1) !== this) around.pop();
    if (around.includes(value)) return '[circular]';
    const held = heldBy(value);
    if (held === undefined && isOpaque(value)) return opaque(value, this, key);
    around.push(value);
    if (held !== undefined) around.push(held);
    return held ?? value;
  };
}

/** Built-in objects whose entries are all that they hold. */
const WITH_ENTRIES = /^\[object (?:Map|Set|Headers|URLSearchParams|FormData)\]$/;
const FIRST_ERROR = 400;

/** What a built-in object holds, if it can be read without being used up; of a response that reports an error, its status. */
function heldBy(value: object): object | undefined {
  if (Array.isArray(value) || isPlain(value)) return undefined;
  const type = Object.prototype.toString.call(value);
  if (WITH_ENTRIES.test(type)) return [...(value as Iterable<unknown>)];
  if (type !== '[object Request]' && type !== '[object Response]') return undefined;
  const { method, url, headers, body, status, statusText } = value as Web;
  if (method !== undefined) return body === null ? { method, url, headers } : undefined;
  return Number(status) >= FIRST_ERROR ? { status, statusText } : undefined;
}

/** A request or a response. */
type Web = Readonly<
  Partial<Record<'method' | 'url' | 'headers' | 'body' | 'status' | 'statusText', unknown>>
>;

/** Whether an object holds more than its fields. */
function isOpaque(value: object): boolean {
  if (Array.isArray(value) || ArrayBuffer.isView(value) || isPlain(value)) return false;
  if (value instanceof Error || Symbol.iterator in value || Symbol.asyncIterator in value) {
    return typeof value.valueOf() === 'object';
  }
  return Object.keys(value).length === 0 && typeof value.valueOf() === 'object';
}

/** The name of an opaque object: its class, or its own text. */
function classNameOf(value: object): string {
  if (value instanceof Error) return String(value);
  return typeof value === 'function' ? `function ${value.name}` : value.constructor.name;
}

let occurrences: number | undefined;

/** A unique text, also across processes. It must not look like a random id, which detection ignores. */
export function marked(value: object): string {
  occurrences ??= Number.parseInt(uniqueId().slice(0, 6), 16);
  return `[${classNameOf(value)} #${++occurrences}]`;
}

function describe(value: unknown): string {
  try {
    return String(value);
  } catch {
    return `[${typeof value}]`;
  }
}
