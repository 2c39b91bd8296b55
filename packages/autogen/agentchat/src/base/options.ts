import { type OptionAdvice, shown, unknownOption } from '@teamfuse/python-compat';
import { UnknownOptionError, ValueError } from './errors.ts';

/**
 * Returns options all of which exist; `what` has them.
 *
 * @throws {@link UnknownOptionError} for one that does not, {@link ValueError} for what is no object.
 */
export function knownOptions<T extends object>(
  what: string,
  options: T,
  names: Readonly<Record<string, true>>,
  advice?: OptionAdvice,
): T {
  const given: unknown = options;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new ValueError(`${what}: the options have to be an object, received ${shown(given)}.`);
  }
  const unknown = unknownOption(options, names, advice);
  if (unknown) throw new UnknownOptionError(what, unknown.option, unknown.advice);
  return options;
}

/**
 * Checks that an option is a whole number.
 *
 * @throws {@link ValueError} naming the option.
 */
export function integerOption(name: string, value: number): number {
  if (Number.isInteger(value)) return value;
  throw invalidOption(name, 'a whole number', value);
}

/**
 * Checks that an option is a text.
 *
 * @throws {@link ValueError} naming the option.
 */
export function textOption(name: string, value: string): string {
  if (typeof value === 'string') return value;
  throw invalidOption(name, 'a text', value);
}

/**
 * Checks that an option is a list of texts.
 *
 * @throws {@link ValueError} naming the option.
 */
export function textsOption(name: string, value: readonly string[]): readonly string[] {
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return [...value];
  throw invalidOption(name, 'a list of texts', value);
}

/** The error for an option whose value is not allowed. */
export function invalidOption(name: string, expected: string, received: unknown): ValueError {
  return new ValueError(`option '${name}': expected ${expected}, received ${shown(received)}.`);
}
