import { expect } from 'vitest';

/** What a `// => value` in a document becomes. */
export function check(value: unknown, expected: unknown): void {
  expect(value).toEqual(expected);
}
