import { InvalidSnapshotError } from '../common/errors.ts';
import { isCount, isRecord, type JsonValue } from '../common/json.ts';

/** Writes a value as JSON and reads it back. */
export interface Codec<T> {
  write(value: T): JsonValue;
  /** @throws {@link InvalidSnapshotError} naming `path`. */
  read(path: string, json: unknown): T;
}

/** What a codec writes and reads. */
export type Of<C> = C extends Codec<infer T> ? T : never;

/** A finite number. */
export const number: Codec<number> = plain('a finite number', Number.isFinite);
/** The last valid date, in milliseconds. */
const LAST_MOMENT = 8.64e15;
export const moment: Codec<number> = plain(
  'a point in time in milliseconds',
  (value) => Number.isFinite(value) && Math.abs(value as number) <= LAST_MOMENT,
);
/** Low enough that counting on from it never exceeds the safe integers. */
const MAX_COUNT = 2 ** 52;

/** A whole number of at least 0: a count, or the index of a signal. */
export const count: Codec<number> = plain('a whole number of at least 0', isIndex);
/** A whole number of at least 0 whose sums stop at the largest safe integer. */
export const amount: Codec<number> = plain('a whole number of at least 0', isCount);
export const text: Codec<string> = plain('text', (value) => typeof value === 'string');
export const flag: Codec<boolean> = plain('true or false', (value) => typeof value === 'boolean');

/** One of `values`. */
export function choice<T extends string>(values: readonly T[]): Codec<T> {
  return plain(values.join(', '), (value) => values.some((one) => one === value));
}

/** Whether `value` can be the index of a signal. */
export function isIndex(value: unknown): value is number {
  return isCount(value) && value < MAX_COUNT;
}

/** `inner`, or `null`. */
export function nullable<T>(inner: Codec<T>): Codec<T | null> {
  return {
    write: (value) => (value === null ? null : inner.write(value)),
    read: (path, json) => (json === null ? null : inner.read(path, json)),
  };
}

/** `inner`, or `missing` where there is nothing. */
export function orElse<T>(inner: Codec<T>, missing: T): Codec<T> {
  return {
    write: (value) => inner.write(value),
    read: (path, json) => (json === undefined ? missing : inner.read(path, json)),
  };
}

/** Reads an array that may be changed, and writes any. */
interface ListCodec<T> extends Codec<readonly T[]> {
  read(path: string, json: unknown): T[];
}

/** An array of at most `max` items. */
export function list<T>(inner: Codec<T>, max: number = Number.MAX_SAFE_INTEGER): ListCodec<T> {
  return {
    write: (values) => values.map((value) => inner.write(value)),
    read: (path, json) => {
      expect(Array.isArray(json) && json.length <= max, path, expectedList(max), json);
      // Not `map`, which leaves holes.
      return Array.from(json, (item, i) => inner.read(`${path}[${i}]`, item));
    },
  };
}

export function pair<A, B>(first: Codec<A>, second: Codec<B>): Codec<readonly [A, B]> {
  return {
    write: ([a, b]) => [first.write(a), second.write(b)],
    read: (path, json) => {
      expect(Array.isArray(json) && json.length === 2, path, 'an array of two', json);
      return [first.read(`${path}[0]`, json[0]), second.read(`${path}[1]`, json[1])];
    },
  };
}

export function record<T extends object>(
  fields: { readonly [K in keyof T]: Codec<T[K]> },
): Codec<T> {
  const names = Object.keys(fields) as (keyof T & string)[];
  return {
    write: (value) =>
      Object.fromEntries(names.map((name) => [name, fields[name].write(value[name])])),
    read: (path, json) => {
      const given = recordAt(path, json);
      return Object.fromEntries(
        names.map((name) => [name, fields[name].read(`${path}.${name}`, given[name])]),
      ) as T;
    },
  };
}

/** Writes an array of numbers as pairs of index and value, without zeros. */
export function writeSparse(values: Int32Array): JsonValue {
  const flat: number[] = [];
  for (let at = 0; at < values.length; at++) {
    if (values[at] !== 0) flat.push(at, values[at] as number);
  }
  return flat;
}

/** @throws {@link InvalidSnapshotError} */
export function readSparse(path: string, json: unknown, values: Int32Array): void {
  const flat = list(number, 2 * values.length).read(path, json);
  values.fill(0);
  for (let i = 0; i + 1 < flat.length; i += 2) {
    const at = flat[i] as number;
    expect(values[at] !== undefined, path, 'an index in range', at);
    values[at] = flat[i + 1] as number;
  }
}

/** @throws {@link InvalidSnapshotError} */
export function recordAt(path: string, json: unknown): Readonly<Record<string, unknown>> {
  expect(isRecord(json), path, 'an object', json);
  return json;
}

/** @throws {@link InvalidSnapshotError} unless it is met. */
export function expect(
  isMet: boolean,
  path: string,
  expected: string,
  received: unknown,
): asserts isMet {
  if (!isMet) throw new InvalidSnapshotError(path, expected, received);
}

function plain<T extends JsonValue>(
  expected: string,
  isValid: (value: unknown) => boolean,
): Codec<T> {
  return {
    write: (value) => value,
    read: (path, json) => {
      expect(isValid(json), path, expected, json);
      return json as T;
    },
  };
}

function expectedList(max: number): string {
  return max === Number.MAX_SAFE_INTEGER ? 'an array' : `an array of at most ${max} items`;
}
