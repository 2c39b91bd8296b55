import { classify, DIGIT, LETTER } from './script.ts';

/** Hexadecimal digits in a row are an id from six on, if there are both digits and letters. */
const HEXADECIMAL = /(?<![\p{L}\d])(?=[a-f]*\d)(?=\d*[a-f])[a-f\d]{6,}(?![\p{L}\d])/u;
/** A number of so many digits is a time stamp or an id. */
const MIN_LONG_NUMBER = 10;
/** A name in which letters and digits take turns so often is random. */
const MIN_TURNS = 4;
/** Units of time and their symbols, the same in all languages. */
const DURATION = /^[\d.,]+(?:[mnuµ]?s)$/;
const UNIT_AHEAD = /^ ?(?:[mnuµ]?s)(?![\p{L}\p{Nd}])/u;
/** What a unit begins with: most numbers are told without looking further. */
const UNIT_LETTERS = 'mnuµs';
const MAX_UNIT = 4;
const SPACE = 0x20;
const DASH = 0x2d;
const COLON = 0x3a;

/** Whether a name or number is a time to the second, a duration, a hash or a random id, by its shape alone. @internal */
export function isVolatile(text: string, from: number, to: number): boolean {
  let digits = 0;
  let letters = 0;
  let dashes = 0;
  let colons = 0;
  let turns = 0;
  let wasDigit = false;
  for (let i = from; i < to; i++) {
    const code = text.charCodeAt(i);
    const type = classify(code);
    if (type === DIGIT) {
      if (!wasDigit && letters > 0) turns++;
      wasDigit = true;
      digits++;
    } else if (code === DASH) dashes++;
    else if (code === COLON) colons++;
    else {
      if (wasDigit) turns++;
      wasDigit = false;
      if (type === LETTER) letters++;
    }
  }
  if (digits === 0) return false;
  if (colons >= 2 || (colons === 1 && dashes >= 2)) return true;
  if (letters === 0) return to - from >= MIN_LONG_NUMBER && digits >= MIN_LONG_NUMBER;
  const token = text.slice(from, to);
  return turns >= MIN_TURNS || HEXADECIMAL.test(token) || (letters <= 2 && DURATION.test(token));
}

/** Whether the number that ends at `at` is followed by a unit of time. @internal */
export function isDurationUnit(text: string, at: number): boolean {
  const unit = text.charCodeAt(at) === SPACE ? at + 1 : at;
  if (!UNIT_LETTERS.includes(text.charAt(unit))) return false;
  return UNIT_AHEAD.test(text.slice(at, at + MAX_UNIT));
}
