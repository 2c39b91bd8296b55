import { ValueError } from '../base/errors.ts';

/** Checks that a size is a whole number of at least 1; `field` is its name in AutoGen's configuration. */
export function positive(field: string, value: number): number {
  if (value <= 0) throw new ValueError(`${field} must be greater than 0.`);
  if (!Number.isInteger(value)) {
    throw new ValueError(`${field} must be a whole number, got ${value}.`);
  }
  return value;
}
