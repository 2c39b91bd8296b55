import { joinHash } from '../hash.ts';
import { EQUALS, formulaIn } from './formula.ts';
import { joins, MASK, maskedName } from './name.ts';
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
import { tickBoxAt } from './tick-box.ts';
import { DIGIT_NUMBER, HALF_WORD, NAME, NUMBER, PLAIN, WORD } from './token.ts';

const FIRST_SEED = 0x811c9dc5 | 0;
const SECOND_SEED = 0x1b873593;
const FIRST_PRIME = 0x01000193;
const SECOND_PRIME = 0x85ebca6b | 0;

/** Words share their beginnings with their inflections: this many letters tell them apart well enough. */
const STEM_LETTERS = 5;
const MIN_WORD_LETTERS = 4;
const LETTERS_OF_AKSHARA = 2;
const STEM_SYLLABLES = 2;
const MIN_KANA = 3;
const STEM_KANA = 4;
const MAX_TOKENS_BEFORE_LEADING = 2;
const MAX_NUMBERS = 64;
/** Fewer tick boxes are no list. */
const MIN_BOXES = 2;

/** More of a text is only hashed. */
export const MAX_TOKENS = 4096;

/**
 * Takes texts apart, one at a time, into buffers that are used again.
 *
 * There are no word lists: what a token is follows from its characters alone, so that all languages are read alike.
 */
export class TextReader {
  /** The tokens in order, as hashes of what was written. */
  readonly tokens: Int32Array = new Int32Array(MAX_TOKENS);
  /** The tokens as hashes of what they are compared by: the beginning of a word, the whole of all else. */
  readonly terms: Int32Array = new Int32Array(MAX_TOKENS);
  /** What each token is, from {@link PLAIN} to {@link NUMBER}. */
  readonly types: Uint8Array = new Uint8Array(MAX_TOKENS);
  count = 0;
  /** Words left out because they only repeat the word before. */
  stutters = 0;
  /** The numbers, as far as they are written as one. */
  readonly numbers: number[] = [];
  /** The number with which the text begins, as in `3. Costs` or `Step 3:`; -1 if it does not. */
  leadingNumber = -1;
  #lastToken = 0;
  #exactLow = FIRST_SEED;
  #exactHigh = SECOND_SEED;
  #maskedLow = FIRST_SEED;
  #maskedHigh = SECOND_SEED;

  /** Equal for texts that differ in case, spacing and sentence marks only. */
  get exact(): number {
    return joinHash(this.#exactLow, this.#exactHigh);
  }

  /** Equal for texts that differ in numbers and ids as well. */
  get masked(): number {
    return joinHash(this.#maskedLow, this.#maskedHigh);
  }

  /** Starts anew. */
  clear(): void {
    this.count = 0;
    this.stutters = 0;
    // Even where there are none, cutting an array short takes time.
    if (this.numbers.length > 0) this.numbers.length = 0;
    this.leadingNumber = -1;
    this.#lastToken = 0;
    this.#exactLow = FIRST_SEED;
    this.#exactHigh = SECOND_SEED;
    this.#maskedLow = FIRST_SEED;
    this.#maskedHigh = SECOND_SEED;
  }

  /** Reads `text`, adding to what was read since {@link TextReader.clear}. */
  read(text: string): void {
    const folded = text.toLowerCase();
    const length = folded.length;
    let i = 0;
    let previous = 0;
    let boxes = 0;
    let ticks = FIRST_SEED;
    let lineStart = this.count;
    let isEquation = false;
    while (i < length) {
      const code = folded.charCodeAt(i);
      const type = classify(code);
      if (type === LETTER || type === DIGIT || type === SYLLABLE || type === AKSHARA) {
        i = this.#readWord(folded, i, length);
      } else if (type === DENSE) {
        i = this.#readDense(folded, i, length);
      } else if (type === KANA) {
        i = this.#readKana(folded, i, length);
      } else {
        // A row of equal signs is a ruler, not content.
        if (type === SYMBOL && code !== previous) this.#add(code, code, PLAIN, code);
        if (code === EQUALS) isEquation = true;
        if (code === NEWLINE) {
          if (isEquation) this.#readFormula(lineStart);
          isEquation = false;
          lineStart = this.count;
        }
        const box = tickBoxAt(folded, i);
        if (box !== 0) {
          boxes++;
          ticks = Math.imul(ticks ^ box, FIRST_PRIME);
        }
        i++;
      }
      previous = code;
    }
    if (isEquation) this.#readFormula(lineStart);
    // How far a list is ticked off is a figure.
    if (boxes >= MIN_BOXES) this.#add(ticks, ticks, NUMBER, MASK);
  }

  /** Adds the tokens since `from` as one figure, if they are a formula. */
  #readFormula(from: number): void {
    const hash = formulaIn(this.tokens, this.types, from, this.count);
    if (hash !== undefined) this.#add(hash, hash, NUMBER, MASK);
  }

  #readWord(text: string, from: number, length: number): number {
    let hash = FIRST_SEED;
    let stem = 0;
    let i = from;
    let code = SPACE;
    // Most words are of these letters only, and need no classifying.
    for (; i < length; i++) {
      code = text.charCodeAt(i);
      if (code < LETTER_A || code > LETTER_Z) break;
      hash = Math.imul(hash ^ code, FIRST_PRIME);
      if (i - from === STEM_LETTERS - 1) stem = hash;
    }
    if (i < length && code !== SPACE) return this.#readMixedWord(text, from, i, hash, stem);
    this.#add(hash, stem || hash, i - from >= MIN_WORD_LETTERS ? WORD : PLAIN, hash);
    // The space is read with the word.
    return i + 1;
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
      else if (type === JOINER && joins(text, i, code, length)) joiners++;
      else if (type !== MARK) break;
      hash = Math.imul(hash ^ code, FIRST_PRIME);
      if (stem === 0 && (letters >= STEM_LETTERS || syllables === STEM_SYLLABLES)) stem = hash;
    }
    if (letters + syllables === 0) {
      this.#noteNumber(text.slice(from, i), joiners);
      this.#add(hash, hash, digits === 1 ? DIGIT_NUMBER : NUMBER, MASK);
    } else if (digits + joiners > 0) {
      this.#add(hash, hash, NAME, maskedName(text, from, i));
    } else if (letters >= MIN_WORD_LETTERS || syllables >= STEM_SYLLABLES) {
      this.#add(hash, stem || hash, WORD, hash);
    } else {
      this.#add(hash, hash, PLAIN, hash);
    }
    return i;
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

  #noteNumber(text: string, joiners: number): void {
    const number = Number(joiners > 0 ? text.replaceAll(',', '') : text);
    const value = Number.isFinite(number) ? number : 0;
    if (this.numbers.length < MAX_NUMBERS) this.numbers.push(value);
    if (this.leadingNumber < 0 && this.count <= MAX_TOKENS_BEFORE_LEADING && joiners === 0) {
      this.leadingNumber = value;
    }
  }

  #add(token: number, term: number, type: number, masked: number): void {
    // A word said twice in a row says no more than once.
    if (token === this.#lastToken && type <= WORD) {
      this.stutters++;
      return;
    }
    this.#lastToken = token;
    if (this.count < MAX_TOKENS) {
      this.tokens[this.count] = token;
      this.terms[this.count] = term;
      this.types[this.count++] = type;
    }
    this.#exactLow = (Math.imul(this.#exactLow ^ token, FIRST_PRIME) + 1) | 0;
    this.#exactHigh = Math.imul(this.#exactHigh ^ token, SECOND_PRIME) ^ (this.#exactLow >>> 15);
    this.#maskedLow = (Math.imul(this.#maskedLow ^ masked, FIRST_PRIME) + 1) | 0;
    this.#maskedHigh =
      Math.imul(this.#maskedHigh ^ masked, SECOND_PRIME) ^ (this.#maskedLow >>> 15);
  }
}

const NEWLINE = 0x0a;
const SPACE = 0x20;
const LETTER_A = 0x61;
const LETTER_Z = 0x7a;
