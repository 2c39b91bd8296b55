import { parse } from 'smol-toml';
import type { Place } from './policy-error.ts';

/** A step into a table by its key, or into a list by its number. */
export type PathStep = string | number;

/** Each trial reads the text again. */
const MAX_TRIALS = 200;

/**
 * Where a key stands in a text that is valid TOML; the place of the nearest table around it where that cannot be told.
 *
 * The parser decides: a place is the right one if a letter added there gives the same path another last name.
 */
export function locateKey(text: string, path: readonly PathStep[]): Place | undefined {
  const end = path.findLastIndex((step) => typeof step === 'string');
  if (end === -1) return undefined;
  const [parent, key] = [path.slice(0, end), path[end] as string];
  const mark = unusedIn(text);
  let trials = 0;
  for (let at = text.indexOf(key); at !== -1; at = text.indexOf(key, at + 1)) {
    if (key === '') break;
    if (!mayBeKey(text, at, key.length)) continue;
    if (++trials > MAX_TRIALS) break;
    const marked = `${text.slice(0, at)}${key}${mark}${text.slice(at + key.length)}`;
    if (hasKey(marked, parent, key + mark)) return placeOf(text, at);
  }
  return locateKey(text, parent);
}

function hasKey(text: string, parent: readonly PathStep[], key: string): boolean {
  try {
    const table = parent.reduce<unknown>((value, step) => Object(value)[step], parse(text));
    return Object.hasOwn(Object(table), key);
  } catch {
    return false;
  }
}

const WORD = /[A-Za-z0-9_-]/;
const AFTER_KEY = /["']?[ \t]*[=.\]]/y;

function mayBeKey(text: string, at: number, length: number): boolean {
  AFTER_KEY.lastIndex = at + length;
  return !WORD.test(text[at - 1] ?? '') && AFTER_KEY.test(text);
}

function unusedIn(text: string): string {
  let mark = 'Z';
  while (text.includes(mark)) mark += 'Z';
  return mark;
}

function placeOf(text: string, at: number): Place {
  const start = /["']/.test(text[at - 1] ?? '') ? at - 1 : at;
  const before = text.slice(0, start).split('\n');
  return { line: before.length, column: (before.at(-1) as string).length + 1 };
}
