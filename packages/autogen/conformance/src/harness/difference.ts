import { isObject, type Json } from './json.ts';

/** A place where a result differs from the recorded one; a side that has nothing there is absent. */
export interface Difference {
  /** Such as `.expected[0].stop.content`. */
  readonly path: string;
  readonly expected?: Json;
  readonly got?: Json;
}

type Maybe = Json | undefined;

/** Whether two values mean the same although they are written differently. */
export type SameValue = (expected: Maybe, got: Maybe) => boolean;

/** All places where a result differs from the recorded one. Errors are compared as a whole. */
export function differences(
  expected: Maybe,
  got: Maybe,
  isSame: SameValue = () => false,
  path = '',
): readonly Difference[] {
  if (expected === got || isSame(expected, got)) return [];
  if (Array.isArray(expected) && Array.isArray(got)) {
    const length = Math.max(expected.length, got.length);
    return Array.from({ length }, (_, at) => at).flatMap((at) =>
      differences(expected[at], got[at], isSame, `${path}[${at}]`),
    );
  }
  if (isObject(expected) && isObject(got)) {
    const keys = [...new Set([...Object.keys(expected), ...Object.keys(got)])];
    const found = keys.flatMap((key) =>
      differences(expected[key], got[key], isSame, path + step(key)),
    );
    return found.length > 0 && isError(expected) && isError(got)
      ? [difference(path, expected, got)]
      : found;
  }
  return [difference(path, expected, got)];
}

/** Whether a value is an error in the form in which both libraries' vectors record it. */
export function isError(
  value: Maybe,
): value is { readonly type: Json; readonly [field: string]: Json } {
  return isObject(value) && 'type' in value && ('message' in value || value.internal === true);
}

/** A difference in one line. */
export function describeDifference({ path, expected, got }: Difference): string {
  return `${path}: expected ${show(expected)}, got ${show(got)}`;
}

function difference(path: string, expected: Maybe, got: Maybe): Difference {
  return {
    path,
    ...(expected === undefined ? {} : { expected }),
    ...(got === undefined ? {} : { got }),
  };
}

function step(key: string): string {
  return /^\w+$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}

function show(value: Maybe): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}
