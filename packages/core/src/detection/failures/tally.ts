import { hashText } from '../../common/hash.ts';
import { type Codec, count, list, number, record } from '../../state/codec.ts';
import type { ErrorLine, ErrorLines } from './error-lines.ts';

/** How many things failed, according to an output: its numbers and its length. */
export interface FailureTally {
  readonly numbers: readonly TallyNumber[];
  /** Lines of the output that are not blank, up to a bound. */
  readonly lines: number;
}

/** A whole number in an output. */
export interface TallyNumber {
  /** Equal for numbers between the same words. */
  readonly key: number;
  readonly value: number;
  /** How meaningful it is: 0 or 1. */
  readonly rank: number;
}

/** Any number: a total, memory in use, what passed. */
const BESIDE = 0;
/** A number in a line that names or marks an error. */
const DECISIVE = 1;

/** The key of the number of diagnoses. */
const DIAGNOSES = 1;
const MAX_NUMBERS = 8;
const MAX_COUNTED = 65_536;
/** A number that is not part of a Latin name; Chinese, Japanese and Korean units may follow directly. */
const NUMBER = /\d(?<![\p{sc=Latn}\p{N}_.#%(-]\d|\d[.,]\d)\d{0,5}(?![\p{sc=Latn}_%]|[.,]?\d)/gu;
/** A line that compilers and shells mark, as in `error: 6 previous errors`. */
const ERROR_LINE = /^error: /i;
const MAX_WORD = 24;
/** The word before a number, with its punctuation. */
const BEFORE = /[^\s\d]*\s*$/;
const AFTER = /^\s*([^\s\d,;.]*)/;
const FULL_LINE = /\S[^\n]*/g;

/** Reads the numbers of `output`; `decisive` is the line that names the error. */
export function readTally(
  output: string,
  { lines, diagnoses }: ErrorLines,
  decisive: ErrorLine | undefined,
): FailureTally {
  const found = new Map<number, TallyNumber | undefined>();
  if (diagnoses > 0) found.set(DIAGNOSES, { key: DIAGNOSES, value: diagnoses, rank: BESIDE });
  for (const line of lines) {
    const { masked } = line;
    const isError = line === decisive || ERROR_LINE.test(masked);
    for (const match of masked.matchAll(NUMBER)) {
      const start = match.index;
      const end = start + match[0].length;
      const before = BEFORE.exec(masked.slice(Math.max(0, start - MAX_WORD), start))?.[0];
      const after = AFTER.exec(masked.slice(end, end + MAX_WORD))?.[1];
      const key = hashText(`${before}#${after}`);
      const rank = isError ? DECISIVE : BESIDE;
      // Several similar lines are items of a list.
      found.set(key, found.has(key) ? undefined : { key, value: Number(match[0]), rank });
    }
  }
  const numbers = [...found.values()].filter((number) => number !== undefined).reverse();
  numbers.sort((a, b) => b.rank - a.rank);
  const full = output.slice(0, MAX_COUNTED).match(FULL_LINE) ?? [];
  return { numbers: numbers.slice(0, MAX_NUMBERS), lines: full.length };
}

/**
 * Whether fewer things failed than `before` and than in all other failures of the row, whose lowest numbers are `lows`.
 *
 * A falling number must be confirmed: as many lines are gone, another number rose by as much, or it is the only change in an
 * error that `isAlike`. A number that falls by one without fewer lines is a countdown, such as remaining attempts.
 */
export function isFewer(
  before: FailureTally,
  now: FailureTally,
  lows: ReadonlyMap<number, number>,
  isAlike: boolean,
): boolean {
  const values = new Map(before.numbers.map(({ key, value }) => [key, value]));
  const rises = now.numbers.map(({ key, value }) => value - (values.get(key) ?? value));
  const isOnlyOne = isAlike && rises.filter((rise) => rise !== 0).length === 1;
  return now.numbers.some(({ key, value, rank }, i) => {
    const fall = -(rises[i] as number);
    if (fall <= 0 || value >= (lows.get(key) ?? Number.POSITIVE_INFINITY)) return false;
    if (before.lines - now.lines >= fall) return true;
    return fall > 1 && (rises.includes(fall) || (rank === DECISIVE && isOnlyOne));
  });
}

/** The lowest values so far of the numbers in `now`. */
export function lowest(
  lows: ReadonlyMap<number, number>,
  now: FailureTally,
): ReadonlyMap<number, number> {
  return new Map(
    now.numbers.map(({ key, value }) => [key, Math.min(value, lows.get(key) ?? value)]),
  );
}

export const TALLY: Codec<FailureTally> = record<FailureTally>({
  numbers: list(record<TallyNumber>({ key: number, value: number, rank: number }), MAX_NUMBERS),
  lines: count,
});
