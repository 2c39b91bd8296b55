import { ModelClientError } from '../errors.ts';

/** A value of an answer, and where in the answer it stands. */
export interface Field {
  readonly path: string;
  readonly value: unknown;
}

/** The field called `name` of an object. */
export function fieldOf(object: Field, name: string): Field {
  const path = object.path === '' ? name : `${object.path}.${name}`;
  return { path, value: record(object)[name] };
}

/** An object that is no list. */
export function record({ path, value }: Field): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Readonly<Record<string, unknown>>;
  }
  throw unexpected({ path, value }, 'an object');
}

/** The items of a list; none when it is missing. */
export function items({ path, value }: Field): Field[] {
  if (isMissing(value)) return [];
  if (!Array.isArray(value)) throw unexpected({ path, value }, 'a list');
  return value.map((item: unknown, index) => ({ path: `${path}[${index}]`, value: item }));
}

export function text(field: Field): string {
  if (typeof field.value === 'string') return field.value;
  throw unexpected(field, 'text');
}

/** Text, or `undefined` when it is missing. */
export function optionalText(field: Field): string | undefined {
  return isMissing(field.value) ? undefined : text(field);
}

export function isMissing(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

/** The error for a field that is not what it has to be. It does not repeat what came. */
export function unexpected({ path, value }: Field, expected: string): ModelClientError {
  const where = path === '' ? 'it' : path;
  return badResponse(`${where}: expected ${expected}, received ${kindOf(value)}`);
}

/** An answer came and cannot be understood. */
export function badResponse(what: string, cause?: unknown): ModelClientError {
  const message = `the model server's answer is malformed: ${what}`;
  return new ModelClientError('BAD_RESPONSE', message, cause === undefined ? {} : { cause });
}

/** What a value is, for messages of errors. */
export function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'string') return value === '' ? 'an empty text' : 'text';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
