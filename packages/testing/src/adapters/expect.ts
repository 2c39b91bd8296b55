import { isDeepStrictEqual } from 'node:util';

/** Ends a check. */
export function fail(problem: string): never {
  throw new Error(problem);
}

/** Ends a check unless two values are equal as plain JSON. */
export function equal(actual: unknown, expected: unknown, what: string): void {
  if (isDeepStrictEqual(plain(actual), plain(expected))) return;
  fail(`${what}: expected ${JSON.stringify(expected)}, received ${JSON.stringify(actual)}`);
}

/** Ends a check unless a condition holds. */
export function ensure(isTrue: boolean, problem: string): void {
  if (!isTrue) fail(problem);
}

function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
