import { distance } from 'fastest-levenshtein';
import { BreakerError, InvalidOptionError } from './errors.ts';
import { isArray, isRecord } from './json.ts';

/** The names of all options of a type. */
export type OptionNames<T> = Readonly<Record<keyof Required<T>, true>>;

/** Lists all options of a breaker and of policies. */
export const OPTIONS_PAGE = 'https://github.com/teamfuse/teamfuse/blob/main/docs/options.md';

/**
 * Rejects unknown options, suggesting the nearest known ones; `page` lists all of them. For packages that build on this one.
 * @throws {@link InvalidOptionError}
 */
export function checkNames<T extends object>(
  path: string,
  options: T,
  names: Readonly<Record<keyof Required<T>, unknown>>,
  page?: string,
): void {
  const whole = path || 'options';
  orInvalid(whole, 'an object that can be read', options, () => {
    const given: unknown = options;
    if (!isRecord(given)) throw new InvalidOptionError(whole, 'an object', options);
    for (const name of Object.keys(given)) {
      // Read known options too, so that a throwing getter fails here.
      const value = given[name];
      if (Object.hasOwn(names, name)) continue;
      const option = path === '' ? name : `${path}.${name}`;
      if (isInstance(given))
        throw new InvalidOptionError(whole, 'a plain object of options', given);
      const expected = expectedOption(name, names, page);
      throw new InvalidOptionError(option, expected, value);
    }
  });
}

/** Whether it is of a class, such as a breaker in the place of options. */
function isInstance(given: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(given);
  return prototype !== null && Object.getPrototypeOf(prototype) !== null;
}

/**
 * Runs code that reads a value from outside. Whatever the value throws becomes an error that names it. For
 * packages that build on this one.
 * @throws {@link InvalidOptionError}
 */
export function orInvalid<T>(option: string, expected: string, value: unknown, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof BreakerError) throw error;
    throw new InvalidOptionError(option, expected, value);
  }
}

export function textOf(option: string, value: string): string {
  if (typeof value === 'string') return value;
  throw new InvalidOptionError(option, 'text', value);
}

/** The most characters of an id of a conversation, which is kept for as long as the conversation is. */
const MAX_ID = 1000;

export function idOf(option: string, value: string): string {
  if (textOf(option, value).length <= MAX_ID) return value;
  throw new InvalidOptionError(option, `text of at most ${MAX_ID} characters`, value);
}

/** Checks that `values` are texts, and copies them. */
export function namesOf(option: string, values: readonly string[]): readonly string[] {
  const expected = 'an array of texts';
  return orInvalid(option, expected, values, () => {
    if (isArray(values) && values.every((value) => typeof value === 'string')) return [...values];
    throw new InvalidOptionError(option, expected, values);
  });
}

/**
 * The value, which must be a function. For packages that build on this one.
 * @throws {@link InvalidOptionError}
 */
export function functionOf<T>(option: string, value: T): T {
  if (typeof value === 'function') return value;
  throw new InvalidOptionError(option, 'a function', value);
}

/** Bounds of the typos in a misspelt name: a third of its letters. Two swapped letters count as two. */
const MIN_TYPOS = 2;
const MAX_TYPOS = 3;
/** Most names in a message where a page lists all. */
const MAX_LISTED = 8;
const NEAREST = 3;

/**
 * What is expected instead of an unknown name: the nearest known one, or all of them; of many that `page` lists, the nearest
 * three. For packages that build on this one.
 * @throws {@link InvalidOptionError}
 */
export function expectedName(
  name: string,
  names: readonly string[],
  what: string = 'option',
  page?: string,
): string {
  textOf('name', name);
  namesOf('names', names);
  textOf('what', what);
  if (page !== undefined) textOf('page', page);
  const sorted = names.toSorted((a, b) => typosIn(name, a) - typosIn(name, b));
  const [nearest = ''] = sorted;
  const maxTypos = Math.min(MAX_TYPOS, Math.max(MIN_TYPOS, Math.floor(name.length / 3)));
  if (typosIn(name, nearest) <= maxTypos) return `a known ${what} (did you mean '${nearest}'?)`;
  if (page !== undefined && names.length > MAX_LISTED) {
    return `a known ${what} (did you mean ${oneOf(sorted.slice(0, NEAREST))}? All are in ${page})`;
  }
  return names.length === 1 ? `the ${what} ${nearest}` : `one of the ${what}s ${names.join(', ')}`;
}

/**
 * What is expected instead of an unknown option of a table: one of that name in a nested table, or else what `expectedName` says.
 * For packages that build on this one.
 */
export function expectedOption(name: string, table: object, page?: string): string {
  textOf('name', name);
  const paths = Object.entries(table).flatMap(([outer, spec]) => {
    const { type, of } = Object(spec) as { readonly type?: unknown; readonly of?: object };
    return type === 'table' && Object.hasOwn(Object(of), name) ? [`${outer}.${name}`] : [];
  });
  const isClear = paths.length > 0 && paths.length <= NEAREST;
  if (isClear) return `a known option (did you mean ${oneOf(paths)}?)`;
  return expectedName(name, Object.keys(table), 'option', page);
}

/** `'a'`, `'a' or 'b'`, `'a', 'b' or 'c'`. */
function oneOf(names: readonly string[]): string {
  const quoted = names.map((name) => `'${name}'`);
  const last = quoted.pop() ?? '';
  return quoted.length === 0 ? last : `${quoted.join(', ')} or ${last}`;
}

/** How many letters differ, apart from case and underscores. */
function typosIn(given: string, known: string): number {
  return distance(given.toLowerCase().replaceAll('_', ''), known.toLowerCase());
}

/** Checks that `value` is a whole number from `min` to `max`. */
export function integer(
  option: string,
  value: number,
  min: number,
  max: number = Number.MAX_SAFE_INTEGER,
): number {
  if (Number.isSafeInteger(value) && value >= min && value <= max) return value;
  throw new InvalidOptionError(option, `a whole number ${range(min, max)}`, value);
}

/** Checks that `value` is a finite number from `min` to `max`. */
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

export function flag(option: string, value: boolean): boolean {
  if (typeof value === 'boolean') return value;
  throw new InvalidOptionError(option, 'true or false', value);
}

/** What is given of options: those that are not `undefined`. */
export function given<T extends object>(options: T | undefined): Partial<T> {
  return Object.fromEntries(
    Object.entries(options ?? {}).filter(([, value]) => value !== undefined),
  ) as Partial<T>;
}
