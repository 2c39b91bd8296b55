import { InvalidOptionError } from '@teamfuse/core';

/** Checks that `value` is a whole number of at least `min`. */
export function atLeast(option: string, value: number, min: number): number {
  if (Number.isSafeInteger(value) && value >= min) return value;
  throw new InvalidOptionError(option, `a whole number of at least ${min}`, value);
}

/** Checks that `value` is the path of a file. */
export function path(value: string): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new InvalidOptionError('path', 'the path of a file', value);
}
