import { hashText } from './hash.ts';

/** What the text of an error tells. */
export interface ErrorReading {
  /** The name or the code of the error, or its text without names and numbers. */
  readonly category: string;
  /** Equal for errors that differ in the names they mention. */
  readonly shape: number;
  /** Equal for the very same error, whatever its places, ids and times. */
  readonly signature: number;
  /** How many things are said to have failed, if the text counts them. */
  readonly count: number | undefined;
}

/** Names and codes of errors: `KeyError`, `TS2307`, `ERR_MODULE_NOT_FOUND`, `ENOENT`, `NullPointerException`. */
const ERROR_NAME =
  /\b(?:[A-Z][A-Za-z]*(?:Error|Exception|Interrupt|Fault|Iteration|Panic)\b|(?:ERR|E)_[A-Z_]{3,}|E(?!RROR)[A-Z]{4,}\b|[A-Z]{1,4}\d{3,5}\b)/;
const ALL_ERROR_NAMES = new RegExp(ERROR_NAME, 'g');
/** How tools say that something failed, where they do not name the error. */
const ERROR_LINE =
  /error|exception|fail|fatal|panic|denied|refused|not found|no such|cannot|unable/i;
const COUNT =
  /(?<![\d.:,(])(\d{1,6})\s+(?:[a-z]+\s+)?(?:failed|failures?|failing|errors?|problems?|issues?|warnings?)\b|"(?:failed|failures|errors)":\s*(\d{1,6})\b/i;
const PLACE =
  /(?:[\w.@~-]*[\\/])*[\w.@~-]+(?=[:(]\d|", line \d)|(?:[\w.@~-]*[\\/])*te?mp[\\/][\w.@~\\/-]+/g;
const ID = /0x[\da-f]+|\b[\da-f]*\d[\da-f]*[\da-f]{6,}\b/gi;
const MOMENT_OR_POSITION =
  /\d{4}-\d\d-\d\d[\dTZ:.+-]*|[:(]\d+(?:[:,]\d+)*\)?|\bline \d+|\d+(?:\.\d+)? ?m?s\b/gi;
const QUOTED = /(["'`«»“”‘’])[^"'`«»“”‘’]*["'`«»“”‘’]/g;

/** What matters stands at the end; a bounded end also bounds what the patterns above can cost. */
const MAX_TEXT = 4000;
const MAX_LINE = 600;
const MAX_CATEGORY = 80;

/** Reads what kind of error `text` tells of: the last line that names one, since causes come before it. @internal */
export function readError(text: string, code: string | undefined): ErrorReading {
  const tail = text.length > MAX_TEXT ? text.slice(-MAX_TEXT) : text;
  const line = withoutPlaces(errorLine(tail).slice(0, MAX_LINE));
  const shape = withoutNames(line);
  const counts = COUNT.exec(tail);
  const count = counts?.[1] ?? counts?.[2];
  return {
    category: (code ?? line.match(ALL_ERROR_NAMES)?.at(-1) ?? shape).slice(0, MAX_CATEGORY),
    shape: hashText(shape),
    signature: hashText(line),
    count: count === undefined ? undefined : Number(count),
  };
}

function errorLine(text: string): string {
  let marked = '';
  let last = '';
  for (const line of text.split('\n').reverse()) {
    const trimmed = line.trim();
    if (trimmed === '') continue;
    if (ERROR_NAME.test(trimmed)) return trimmed;
    if (marked === '' && ERROR_LINE.test(trimmed)) marked = trimmed;
    if (last === '') last = trimmed;
  }
  return marked || last;
}

function withoutPlaces(line: string): string {
  return line
    .replace(PLACE, '/')
    .replace(ID, '#')
    .replace(MOMENT_OR_POSITION, '#')
    .replace(/\s+/g, ' ');
}

function withoutNames(line: string): string {
  return line.replace(QUOTED, '?').replace(/\d+/g, '#').toLowerCase();
}
