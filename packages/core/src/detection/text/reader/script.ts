// The types of characters. Those that only end words come first.

const SEPARATOR = 0;
/** Ends a word, and is a token itself: `+`, `<`, `=`. */
export const SYMBOL = 1;
export const LETTER = 2;
export const DIGIT = 3;
/** Joins the parts of a name or a number: `.`, `_`, `/`. */
export const JOINER = 4;
/** A character of a script written without spaces, of which two make about a word: Han, Thai, Khmer. */
export const DENSE = 5;
/** Hiragana: written without spaces, mostly endings and particles. */
export const KANA = 6;
/** A syllable of Hangul: counts as two letters. */
export const SYLLABLE = 7;
/**
 * Counts as two letters: an Indic consonant with its inherent vowel, or a Vietnamese vowel with its tone, since each
 * syllable is a word.
 */
export const AKSHARA = 8;
/** A vowel sign or an accent: part of the word, but not a letter. */
export const MARK = 9;

const COMMA = 0x2c;
const DASH = 0x2d;
const DOT = 0x2e;
const COLON = 0x3a;

const ASCII: Uint8Array = new Uint8Array(128);
for (let code = 0; code < 128; code++) {
  const character = String.fromCharCode(code);
  if (/[a-z]/i.test(character)) ASCII[code] = LETTER;
  else if (/[0-9]/.test(character)) ASCII[code] = DIGIT;
  else if ('._-/\\@:,'.includes(character)) ASCII[code] = JOINER;
  else if ('+<>=#$%&'.includes(character)) ASCII[code] = SYMBOL;
}

const ALPHABETS_FROM = 0x2b0;
const INDIC_FROM = 0x900;
const ALPHABETS_TO = 0xe00;
const ALPHABETS: Uint8Array = new Uint8Array(ALPHABETS_TO - ALPHABETS_FROM);
for (let code = ALPHABETS_FROM; code < ALPHABETS_TO; code++) {
  const character = String.fromCharCode(code);
  const at = code - ALPHABETS_FROM;
  if (/\p{M}/u.test(character)) ALPHABETS[at] = MARK;
  else if (/\p{Nd}/u.test(character)) ALPHABETS[at] = DIGIT;
  else if (/\p{L}/u.test(character)) ALPHABETS[at] = code < INDIC_FROM ? LETTER : AKSHARA;
}

/** The type of the UTF-16 unit `code`. */
export function classify(code: number): number {
  return code < 128 ? (ASCII[code] as number) : classifyBeyondAscii(code);
}

function classifyBeyondAscii(code: number): number {
  if (code < 0xc0) return SEPARATOR;
  if (code < ALPHABETS_FROM) return code === 0xd7 || code === 0xf7 ? SEPARATOR : LETTER;
  if (code < ALPHABETS_TO) return ALPHABETS[code - ALPHABETS_FROM] as number;
  if (code < 0x10a0) return DENSE;
  if (code < 0x1780) return LETTER;
  if (code < 0x1800) return DENSE;
  if (code >= 0x1ea0 && code < 0x1efa) return AKSHARA;
  if (code < 0x2000) return LETTER;
  if (code < 0x3041) return SEPARATOR;
  if (code < 0x30a0) return KANA;
  if (code < 0x3100) return LETTER;
  if (code >= 0x3400 && code < 0xa000) return DENSE;
  if (code >= 0xac00 && code < 0xd7a4) return SYLLABLE;
  if (code >= 0xf900 && code < 0xfb00) return DENSE;
  if (code >= 0xff10 && code < 0xff1a) return DIGIT;
  if (code >= 0xff21 && code < 0xffe0) return LETTER;
  return SEPARATOR;
}

/** Whether the joiner at `i` joins its neighbours into one word, which may already have digits. */
export function joins(units: Uint16Array, i: number, hasDigits: boolean): boolean {
  const right = classify(units[i + 1] as number);
  if (right !== LETTER && right !== DIGIT) return false;
  const code = units[i];
  if (code === DASH) return hasDigits || right === DIGIT;
  if (code !== COMMA && code !== COLON && code !== DOT) return true;
  const left = classify(units[i - 1] as number);
  if (code === DOT) return left === LETTER || left === DIGIT;
  return left === DIGIT && right === DIGIT;
}
