import { expectedOption, OPTIONS_PAGE } from '@teamfuse/core/options';
import parseDuration from 'parse-duration';
import { z } from 'zod';
import { CODE_NAMES } from './code-options.ts';

/**
 * A table of options: the interface that documents them, and their schemas. The error for an unknown name suggests the nearest
 * known one, also in the tables of `options`.
 */
export function table(documentedBy: string, shape: z.core.$ZodLooseShape, options: object = {}) {
  const expected = ([name = '']: readonly string[]): string =>
    CODE_NAMES.includes(name)
      ? 'an option for files: pass this one in code, to breakerFromPolicy()'
      : expectedOption(name, { ...shape, ...options }, OPTIONS_PAGE);
  const error: z.core.$ZodErrorMap = (issue) =>
    issue.code === 'unrecognized_keys' ? expected(issue.keys as string[]) : 'a table of options';
  return z.strictObject(shape, { error }).meta({ id: documentedBy });
}

/** A table that may be `false`, to switch it off. */
export function switchable<T extends z.ZodType>(schema: T) {
  return z.union([schema, z.literal(false)], { error: 'a table of options, or false' });
}

export const number = () => z.number({ error: 'a number' });
export const flag = () => z.boolean({ error: 'true or false' });
export const text = () => z.string({ error: 'a text' });
export const list = <T extends z.ZodType>(item: T, error: string) => z.array(item, { error });

export function oneOf(values: readonly string[]) {
  return z.enum(values, { error: `one of ${values.join(', ')}` });
}

const DURATION = /^(?:\d+(?:\.\d+)?\s*(?:ms|s|m|h|d)\s*)+$/;

/** Milliseconds, also as a text with units: `15m`, `1h 30m`. */
export const milliseconds = () =>
  numberOrText(
    DURATION,
    'milliseconds, or a duration such as "15m", "90s" or "1h 30m"',
    (given) => parseDuration(given) ?? Number.NaN,
  );

const MONEY = /^\$\d+(?:\.\d+)?$/;

/** US dollars, also as a text with their sign: `$6`. */
export const dollars = () =>
  numberOrText(MONEY, 'US dollars, or an amount such as "$6" or "$0.50"', (given) =>
    Number(given.slice(1)),
  );

function numberOrText(pattern: RegExp, error: string, read: (given: string) => number) {
  return z
    .union([z.number(), z.string().regex(pattern, { error })], { error })
    .transform((given) => (typeof given === 'string' ? read(given) : given));
}
