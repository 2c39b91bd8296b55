import { ValueError } from './errors.ts';

/**
 * Checks that an option is a whole number.
 *
 * @throws {@link ValueError} naming the option.
 */
export function integerOption(name: string, value: number): number {
  if (Number.isInteger(value)) return value;
  throw new ValueError(`${name} must be an integer, got ${String(value)}.`);
}

/**
 * Checks that an option is a text.
 *
 * @throws {@link ValueError} naming the option.
 */
export function textOption(name: string, value: string): string {
  if (typeof value === 'string') return value;
  throw new ValueError(`${name} must be a string, got ${String(value)}.`);
}

/**
 * Checks that an option is a list of texts.
 *
 * @throws {@link ValueError} naming the option.
 */
export function textsOption(name: string, value: readonly string[]): readonly string[] {
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return [...value];
  throw new ValueError(`${name} must be an array of strings, got ${JSON.stringify(value)}.`);
}
