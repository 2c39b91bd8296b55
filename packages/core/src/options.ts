import { InvalidOptionError } from './errors.ts';

/** The names of all options of a type. */
export type OptionNames<T> = Readonly<Record<keyof Required<T>, true>>;

/**
 * Refuses options that do not exist, naming the nearest one that does. For packages that build on this one.
 * @throws {@link InvalidOptionError}
 */
export function checkNames<T extends object>(
  path: string,
  options: T,
  names: OptionNames<T>,
): void {
  const isObject = typeof options === 'object' && options !== null && !Array.isArray(options);
  if (!isObject) throw new InvalidOptionError(path || 'options', 'an object', options);
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(names, name)) continue;
    const value = (options as Readonly<Record<string, unknown>>)[name];
    const option = path === '' ? name : `${path}.${name}`;
    throw new InvalidOptionError(option, expectedName(name, Object.keys(names)), value);
  }
}

/** Names so far apart are not the same one misspelt. */
const MAX_TYPOS = 3;

/** What is expected in place of an unknown name: the nearest known one, or all of them. For packages that build on this one. */
export function expectedName(
  name: string,
  names: readonly string[],
  what: string = 'option',
): string {
  const nearest = names.toSorted((a, b) => distance(name, a) - distance(name, b))[0] ?? '';
  if (distance(name, nearest) <= MAX_TYPOS) return `no such ${what}; did you mean '${nearest}'?`;
  return names.length === 1 ? `the ${what} ${nearest}` : `one of the ${what}s ${names.join(', ')}`;
}

/** How many letters have to be changed, added or removed, upper and lower case being equal. */
function distance(from: string, to: string): number {
  const [a, b] = [from.toLowerCase().replaceAll('_', ''), to.toLowerCase()];
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      const replaced = (row[j] as number) + (letter === b[j] ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] as number) + 1, (next[j] as number) + 1));
    }
    row = next;
  }
  return row[b.length] as number;
}

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
