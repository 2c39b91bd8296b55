import { classify, DIGIT, JOINER, LETTER } from './script.ts';

/** Six or more hexadecimal digits are an id, if there are both digits and letters. */
const HEXADECIMAL = /(?<![\p{L}\d])(?=[a-f]*\d)(?=\d*[a-f])[a-f\d]{6,}(?![\p{L}\d])/u;
const MIN_HEXADECIMAL = 6;
/** A whole number with this many digits is a time stamp or an id. */
export const MIN_LONG_NUMBER = 10;
/** A date with a time on the full minute is meant, as an appointment or a day is: a clock rarely shows one. */
const FULL_MINUTE = /[^\d:-]\d\d?:\d\d(?::00(?:[.,]0+)?)?(?:z|-\d\d:\d\d)?$/;
/** A number with a power of ten. Its sign may begin another word. */
const SCIENTIFIC = /^\d+\.\d+e(?:-?\d+)?$/;
/** A name in which a letter and a digit stand side by side this often is random. */
const MIN_TURNS = 4;
/** Units of time and their symbols, the same in all languages: one down to seconds, or two and more. */
const DURATION =
  /^(?:\d+d)?(?:\d+h)?(?:\d+m)?[\d.,]+(?:[mnuµ]?s|secs?)$|^(?:\d+d)?\d+h\d+m$|^\d+d\d+h$/;
const UNIT_AHEAD = /^ ?(?:[mnuµ]?s|secs?)(?![\p{L}\p{Nd}])/u;
const MAX_UNIT = 6;
const SPACE = 0x20;
const COMMA = 0x2c;
const DASH = 0x2d;
const POINT = 0x2e;
const DIGIT_NINE = 0x39;
const COLON = 0x3a;
const LETTER_A = 0x61;
const LETTER_F = 0x66;
const LETTER_S = 0x73;

/** What a name or number is by its shape alone: a time to the second or a duration, a hash or a random id, or none of these. */
export type Shape = 'time' | 'id' | 'other';

export function shapeOf(text: string, units: Uint16Array, from: number, to: number): Shape {
  let digits = 0;
  let letters = 0;
  let dashes = 0;
  let colons = 0;
  let turns = 0;
  // Digits before the first point or comma.
  let whole: number | undefined;
  // Of consecutive hexadecimal digits.
  let row = 0;
  let longestRow = 0;
  let before = JOINER;
  for (let i = from; i < to; i++) {
    const code = units[i] as number;
    const type = classify(code);
    if (type === DIGIT || (code >= LETTER_A && code <= LETTER_F)) row++;
    else row = 0;
    if (row > longestRow) longestRow = row;
    const isTurn = (type === DIGIT) !== (before === DIGIT);
    if (isTurn && type !== JOINER && before !== JOINER) turns++;
    before = type;
    if (type === DIGIT) digits++;
    else if (type === LETTER) letters++;
    else if (code === DASH) dashes++;
    else if (code === COLON) colons++;
    else if (code === POINT || code === COMMA) whole ??= digits;
  }
  if (digits === 0) return 'other';
  if (colons >= 2 || (colons === 1 && dashes >= 2)) {
    return dashes >= 2 && FULL_MINUTE.test(lower(text, from, to)) ? 'other' : 'time';
  }
  if (letters === 0) {
    return (whole ?? digits) >= MIN_LONG_NUMBER ? 'id' : 'other';
  }
  // Few names need an expression.
  const mayBeDuration = (units[from] as number) <= DIGIT_NINE;
  if (mayBeDuration && DURATION.test(lower(text, from, to))) return 'time';
  if (letters === 1 && SCIENTIFIC.test(lower(text, from, to))) return 'other';
  if (turns >= MIN_TURNS) return 'id';
  const isHexadecimal = longestRow >= MIN_HEXADECIMAL && HEXADECIMAL.test(lower(text, from, to));
  return isHexadecimal ? 'id' : 'other';
}

/** Whether the number that ends at `at` is followed by a unit of time. */
export function isDurationUnit(text: string, units: Uint16Array, at: number): boolean {
  const unit = units[at] === SPACE ? at + 1 : at;
  // Most numbers need no expression.
  if (units[unit] !== LETTER_S && units[unit + 1] !== LETTER_S) return false;
  return UNIT_AHEAD.test(lower(text, at, at + MAX_UNIT));
}

function lower(text: string, from: number, to: number): string {
  return text.slice(from, to).toLowerCase();
}
