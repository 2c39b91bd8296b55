import { joinHash } from '../hash.ts';
import {
  AKSHARA,
  classify,
  DENSE,
  DIGIT,
  JOINER,
  KANA,
  LETTER,
  MARK,
  SYLLABLE,
  SYMBOL,
} from './script.ts';
import { DIGIT_NUMBER, HALF_WORD, NAME, NUMBER, PLAIN, VOLATILE, WORD } from './token.ts';
import { isDurationUnit, isVolatile } from './volatile.ts';

const FIRST_SEED = 0x811c9dc5 | 0;
const SECOND_SEED = 0x1b873593;
const FIRST_PRIME = 0x01000193;
const SECOND_PRIME = 0x85ebca6b | 0;
/** What stands for a token whose value does not count. */
const MASK = 0x23;

/** Words share their beginnings with their inflections: this many letters tell them apart well enough. */
const STEM_LETTERS = 5;
const MIN_WORD_LETTERS = 4;
const LETTERS_OF_AKSHARA = 2;
const STEM_SYLLABLES = 2;
const MIN_KANA = 3;
const STEM_KANA = 4;
const MAX_NUMBERS = 64;

/** More of a text is only hashed. */
const MAX_TOKENS = 4096;

/**
 * Takes texts apart, one at a time, into buffers that are used again.
 *
 * What a token is follows from its characters alone, so that all languages are read alike.
 */
export class TextReader {
  /** The tokens as hashes of what they are compared by: the beginning of a word, the whole of all else. */
  readonly terms: Int32Array = new Int32Array(MAX_TOKENS);
  /** What each token is, from {@link PLAIN} to {@link VOLATILE}. */
  readonly types: Uint8Array = new Uint8Array(MAX_TOKENS);
  count = 0;
  /** How many signs and numbers were read. */
  signs = 0;
  /** The numbers, as far as they are written as one. */
  readonly numbers: number[] = [];
  #exactLow = FIRST_SEED;
  #exactHigh = SECOND_SEED;
  #frameLow = FIRST_SEED;
  #frameHigh = SECOND_SEED;
  #shapeLow = FIRST_SEED;
  #shapeHigh = SECOND_SEED;
  #isParted = false;
  #lastToken = 0;
  /** The digits of names, each as a number, between the {@link TextReader.numbers}. */
  readonly figures: number[] = [];

  /** Equal for texts that differ in numbers and in the digits of names. */
  get shape(): number {
    return this.#isParted ? joinHash(this.#shapeLow, this.#shapeHigh) : this.exact;
  }

  /** Equal for texts that differ in case, spacing, sentence marks and volatile tokens only. */
  get exact(): number {
    return joinHash(this.#exactLow, this.#exactHigh);
  }

  /** Equal for texts that differ in numbers as well. */
  get frame(): number {
    return this.#isParted ? joinHash(this.#frameLow, this.#frameHigh) : this.exact;
  }

  /** Starts anew. */
  clear(): void {
    this.count = 0;
    this.signs = 0;
    // Even where there are none, cutting an array short takes time.
    if (this.numbers.length > 0) this.numbers.length = 0;
    if (this.figures.length > 0) this.figures.length = 0;
    this.begin();
  }

  /** Starts the hashes anew, and keeps the tokens. */
  begin(): void {
    this.#lastToken = 0;
    this.#exactLow = FIRST_SEED;
    this.#exactHigh = SECOND_SEED;
    this.#isParted = false;
  }

  /** From the first token on that is masked, the hashes differ. */
  #part(): void {
    if (this.#isParted) return;
    this.#isParted = true;
    this.#frameLow = this.#exactLow;
    this.#frameHigh = this.#exactHigh;
    this.#shapeLow = this.#exactLow;
    this.#shapeHigh = this.#exactHigh;
  }

  /** Reads `text`, adding to what was read since {@link TextReader.clear}. */
  read(text: string): void {
    const folded = text.toLowerCase();
    const length = folded.length;
    let i = 0;
    let ticks = 0;
    while (i < length) {
      const code = folded.charCodeAt(i);
      if (code >= LETTER_A && code <= LETTER_Z) {
        i = this.#readWord(folded, i, length);
        continue;
      }
      if (code === SPACE) {
        i++;
        continue;
      }
      const type = classify(code);
      if (type === LETTER || type === DIGIT || type === SYLLABLE || type === AKSHARA) {
        i = this.#readWord(folded, i, length);
      } else if (type === DENSE) {
        i = this.#readDense(folded, i, length);
      } else if (type === KANA) {
        i = this.#readKana(folded, i, length);
      } else {
        if (type === SYMBOL) {
          this.#add(code, code, PLAIN, code);
          this.signs++;
        }
        if (isTick(folded, i, code)) {
          // How far a list is ticked off is a figure.
          const place = Math.imul(FIRST_SEED ^ ++ticks, SECOND_PRIME);
          this.#add(place, place, NUMBER, place);
        }
        i++;
      }
    }
  }

  #readWord(text: string, from: number, length: number): number {
    let hash = FIRST_SEED;
    let stem = 0;
    let i = from;
    let code = text.charCodeAt(i);
    // Most words are of these letters only, and need no classifying.
    while (code >= LETTER_A && code <= LETTER_Z) {
      hash = Math.imul(hash ^ code, FIRST_PRIME);
      if (i - from === STEM_LETTERS - 1) stem = hash;
      code = ++i < length ? text.charCodeAt(i) : SPACE;
    }
    const isMark = code === DOT || code === COMMA;
    const isEnd =
      code === SPACE || (isMark && (i + 1 === length || text.charCodeAt(i + 1) === SPACE));
    // A bracket, a quotation mark or a line's end ends a word as well.
    if (!isEnd && classify(code) > SYMBOL) return this.#readMixedWord(text, from, i, hash, stem);
    const type = i - from >= MIN_WORD_LETTERS ? WORD : PLAIN;
    if (hash !== this.#lastToken) this.#addPlain(hash, stem || hash, type);
    // The space or the mark is read with the word.
    return isEnd ? i + 1 : i;
  }

  /** Goes on at `start` with a word that has been of small Latin letters so far. */
  #readMixedWord(
    text: string,
    from: number,
    start: number,
    head: number,
    headStem: number,
  ): number {
    const { length } = text;
    let hash = head;
    let stem = headStem;
    let letters = start - from;
    let syllables = 0;
    let digits = 0;
    let joiners = 0;
    let i = start;
    for (; i < length; i++) {
      const code = text.charCodeAt(i);
      const type = classify(code);
      if (type === LETTER) letters++;
      else if (type === DIGIT) digits++;
      else if (type === SYLLABLE) syllables++;
      else if (type === AKSHARA) letters += LETTERS_OF_AKSHARA;
      else if (type === JOINER && joins(text, i, code, digits > 0)) joiners++;
      else if (type !== MARK) break;
      hash = Math.imul(hash ^ code, FIRST_PRIME);
      if (stem === 0 && (letters >= STEM_LETTERS || syllables === STEM_SYLLABLES)) stem = hash;
    }
    const isNumber = letters + syllables === 0;
    if (!isNumber && digits + joiners === 0) {
      const isWord = letters >= MIN_WORD_LETTERS || syllables >= STEM_SYLLABLES;
      this.#add(hash, stem || hash, isWord ? WORD : PLAIN, hash);
    } else if (isVolatile(text, from, i) || (isNumber && isDurationUnit(text, i))) {
      this.#add(MASK, hash, VOLATILE, MASK);
    } else if (isNumber) {
      this.#noteNumber(text, from, i);
      this.signs++;
      this.#add(hash, hash, digits === 1 ? DIGIT_NUMBER : NUMBER, MASK);
    } else {
      this.#add(hash, hash, NAME, hash, this.#shapeOf(text, from, i));
    }
    return i;
  }

  /** A hash of a name without its digits, which are noted. */
  #shapeOf(text: string, from: number, to: number): number {
    let hash = FIRST_SEED;
    let value = 0;
    let wasDigit = false;
    for (let i = from; i < to; i++) {
      const digit = text.charCodeAt(i) - DIGIT_ZERO;
      const isDigit = digit >= 0 && digit <= 9;
      if (isDigit) value = wasDigit ? value * 10 + digit : digit;
      else hash = Math.imul(hash ^ text.charCodeAt(i), FIRST_PRIME);
      if (wasDigit && !isDigit) this.#noteFigure(value);
      wasDigit = isDigit;
    }
    if (wasDigit) this.#noteFigure(value);
    return hash;
  }

  #noteFigure(value: number): void {
    if (this.figures.length < MAX_NUMBERS) this.figures.push(value);
  }

  #readDense(text: string, from: number, length: number): number {
    let previous = text.charCodeAt(from);
    let i = from + 1;
    for (; i < length; i++) {
      const code = text.charCodeAt(i);
      if (classify(code) !== DENSE) break;
      const pair = Math.imul(Math.imul(FIRST_SEED ^ previous, FIRST_PRIME) ^ code, FIRST_PRIME);
      this.#add(pair, pair, HALF_WORD, pair);
      previous = code;
    }
    if (i === from + 1) {
      const single = Math.imul(FIRST_SEED ^ previous, FIRST_PRIME);
      this.#add(single, single, HALF_WORD, single);
    }
    return i;
  }

  #readKana(text: string, from: number, length: number): number {
    let hash = FIRST_SEED;
    let stem = 0;
    let i = from;
    for (; i < length; i++) {
      const code = text.charCodeAt(i);
      if (classify(code) !== KANA) break;
      hash = Math.imul(hash ^ code, FIRST_PRIME);
      if (i - from < STEM_KANA) stem = hash;
    }
    this.#add(hash, stem, i - from >= MIN_KANA ? HALF_WORD : PLAIN, hash);
    return i;
  }

  #noteNumber(text: string, from: number, to: number): void {
    if (this.numbers.length >= MAX_NUMBERS && this.figures.length >= MAX_NUMBERS) return;
    const number = Number(text.slice(from, to).replaceAll(',', ''));
    const isWhole = Number.isFinite(number);
    if (this.numbers.length < MAX_NUMBERS) this.numbers.push(isWhole ? number : 0);
    // `3/12` is two numbers.
    if (isWhole) this.#noteFigure(number);
    else this.#shapeOf(text, from, to);
  }

  #add(token: number, term: number, type: number, masked: number, shaped: number = masked): void {
    // A word said twice in a row says no more than once.
    if (token === this.#lastToken && type <= WORD) return;
    if (masked === token && shaped === token) {
      this.#addPlain(token, term, type);
      return;
    }
    this.#part();
    this.#take(token, term, type);
    this.#frameLow = (Math.imul(this.#frameLow ^ masked, FIRST_PRIME) + 1) | 0;
    this.#frameHigh = Math.imul(this.#frameHigh ^ masked, SECOND_PRIME) ^ (this.#frameLow >>> 15);
    this.#shapeLow = (Math.imul(this.#shapeLow ^ shaped, FIRST_PRIME) + 1) | 0;
    this.#shapeHigh = Math.imul(this.#shapeHigh ^ shaped, SECOND_PRIME) ^ (this.#shapeLow >>> 15);
  }

  /** Adds a token that no hash masks. */
  #addPlain(token: number, term: number, type: number): void {
    this.#take(token, term, type);
    if (!this.#isParted) return;
    this.#frameLow = (Math.imul(this.#frameLow ^ token, FIRST_PRIME) + 1) | 0;
    this.#frameHigh = Math.imul(this.#frameHigh ^ token, SECOND_PRIME) ^ (this.#frameLow >>> 15);
    this.#shapeLow = (Math.imul(this.#shapeLow ^ token, FIRST_PRIME) + 1) | 0;
    this.#shapeHigh = Math.imul(this.#shapeHigh ^ token, SECOND_PRIME) ^ (this.#shapeLow >>> 15);
  }

  #take(token: number, term: number, type: number): void {
    this.#lastToken = token;
    if (this.count < MAX_TOKENS) {
      this.terms[this.count] = term;
      this.types[this.count++] = type;
    }
    this.#exactLow = (Math.imul(this.#exactLow ^ token, FIRST_PRIME) + 1) | 0;
    this.#exactHigh = Math.imul(this.#exactHigh ^ token, SECOND_PRIME) ^ (this.#exactLow >>> 15);
  }
}

/** Whether the joiner at `i` holds together what stands left and right of it. */
function joins(text: string, i: number, code: number, hasDigits: boolean): boolean {
  if (i + 1 >= text.length) return false;
  const right = classify(text.charCodeAt(i + 1));
  if (right !== LETTER && right !== DIGIT) return false;
  if (code === DASH) return hasDigits || right === DIGIT;
  if (code !== COMMA && code !== COLON && code !== DOT) return true;
  const left = classify(text.charCodeAt(i - 1));
  if (code === DOT) return left === LETTER || left === DIGIT;
  return left === DIGIT && right === DIGIT;
}

/** Whether a box is ticked here: `[x]`, or a tick of its own. */
function isTick(text: string, i: number, code: number): boolean {
  if (code === BRACKET)
    return text.charCodeAt(i + 1) === LETTER_X && text.charCodeAt(i + 2) === CLOSING;
  return code >= FIRST_SIGN && TICK.test(text[i] as string);
}

const TICK = /[\u2611\u2612\u2705\u2713-\u2718\u274c]/;
/** Boxes and ticks stand from here on. */
const FIRST_SIGN = 0x2610;
const BRACKET = 0x5b;
const CLOSING = 0x5d;
const LETTER_X = 0x78;
const DIGIT_ZERO = 0x30;
const SPACE = 0x20;
const COMMA = 0x2c;
const DASH = 0x2d;
const DOT = 0x2e;
const COLON = 0x3a;
const LETTER_A = 0x61;
const LETTER_Z = 0x7a;
