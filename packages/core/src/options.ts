import { InvalidOptionError } from './errors.ts';

/** Checks that `value` is a whole number from `min` to `max`. @internal */
export function integer(
  option: string,
  value: number,
  min: number,
  max: number = Number.MAX_SAFE_INTEGER,
): number {
  if (Number.isSafeInteger(value) && value >= min && value <= max) return value;
  throw new InvalidOptionError(option, `a whole number ${range(min, max)}`, value);
}

/** Checks that `value` is a finite number from `min` to `max`. @internal */
export function finite(
  option: string,
  value: number,
  min: number,
  max: number = Number.MAX_VALUE,
): number {
  if (Number.isFinite(value) && value >= min && value <= max) return value;
  throw new InvalidOptionError(option, `a finite number ${range(min, max)}`, value);
}

function range(min: number, max: number): string {
  return max === Number.MAX_SAFE_INTEGER || max === Number.MAX_VALUE
    ? `of at least ${min}`
    : `from ${min} to ${max}`;
}
