import { hashText } from '../../common/hash.ts';
import type { Failure } from '../analyzed-signal.ts';
import { linesOfError } from './error-lines.ts';
import { withoutNames, withoutNumbers, withoutTiedNumbers } from './places.ts';
import { readTally } from './tally.ts';

/** What was read from the text of an error. */
export type ErrorReading = Pick<
  Failure,
  'category' | 'shown' | 'isNamed' | 'shape' | 'signature' | 'tally' | 'place'
>;

/** Names and codes of errors: `KeyError`, `TS2307`, `ERR_MODULE_NOT_FOUND`, `ENOENT`, `NullPointerException`. */
const NAME =
  /\b(?:[A-Z]\w*(?:Error|Exception|Interrupt|Fault|Iteration|Panic)|(?:ERR|E)_[A-Z_]{3,}|E(?!RROR|XCEPTION)[A-Z]{4,}|[A-Z]{1,4}\d{3,5})\b/g;
/** A name with its message, as runtimes and compilers print it. */
const HEADING = new RegExp(`${NAME.source}[\\])]*: ?\\S`);
/** The same without a specific name, as in `Error: Cannot find module`. */
const BARE_HEADING = /^(?:Uncaught )?Error: \S/;
/** Not a specific name. */
const GENERIC = /^(?:error|exception|)$/i;
const MAX_CATEGORY = 80;

/**
 * Reads the kind of error in `text`, printed by `ran` if known.
 *
 * The last line with a name and a message decides, since causes come first. Without one, all lines count, since a tool may
 * print the same line around every error.
 */
export function readError(text: string, code = '', ran?: string): ErrorReading {
  const found = linesOfError(text, ran);
  const { lines, subject } = found;
  const named = lines.filter(({ masked }) => masked.search(NAME) >= 0);
  const heading = named.findLast(({ masked }) => HEADING.test(masked));
  const bare = lines.findLast(({ masked }) => BARE_HEADING.test(masked));
  const shown = heading ?? named.at(-1) ?? subject ?? bare ?? lines.at(-1);
  const masked = (heading ? [heading] : lines).map((line) => withoutTiedNumbers(line.masked));
  const title = shown ? withoutTiedNumbers(shown.masked) : '';
  const name = GENERIC.test(code) ? title.match(NAME)?.at(-1) : code;
  return {
    category: (name ?? withoutNames(title)).slice(0, MAX_CATEGORY),
    shown: shown?.text ?? '',
    isNamed: name !== undefined,
    shape: hashLines(masked.map(withoutNames)),
    signature: hashLines(masked.map(withoutNumbers)),
    tally: readTally(text, found, shown),
    place: found.places === '' ? 0 : hashText(found.places),
  };
}

/** Lines count once and in any order, since parallel work fails in any order. */
function hashLines(lines: readonly string[]): number {
  return hashText([...new Set(lines)].sort().join('\n'));
}
