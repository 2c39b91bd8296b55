import { hashUnits, joinHash } from '../../../common/hash.ts';
import {
  AKSHARA,
  classify,
  DENSE,
  DIGIT,
  JOINER,
  joins,
  KANA,
  LETTER,
  MARK,
  SYLLABLE,
  SYMBOL,
} from './script.ts';
import { DIGIT_NUMBER, HALF_WORD, NAME, NUMBER, PLAIN, VOLATILE, WORD } from './token.ts';
import { blankAfter, blankBefore, endOf, startOf, unitsOf } from './units.ts';
import { isDurationUnit, MIN_LONG_NUMBER, shapeOf } from './volatile.ts';

const SEED = 0x811c9dc5 | 0;
const FIRST_SEED = 0x811c9dc5 | 0;
const SECOND_SEED = 0x1b873593;
const PRIME = 0x01000193;
const SECOND_PRIME = 0x85ebca6b | 0;
/** The term of a volatile token. */
const MASK = 0x23;

/** Inflected words share this many first letters. */
const STEM_LETTERS = 5;
const MIN_WORD_LETTERS = 4;
const LETTERS_OF_AKSHARA = 2;
const STEM_SYLLABLES = 2;
const MIN_KANA = 3;
const STEM_KANA = 4;

/** A text of so many words is long. */
const LONG = 15;

/** The rest of a longer text is only hashed. */
const MAX_TOKENS = 4096;

/**
 * Splits texts into tokens, in reused buffers.
 *
 * The type of a token follows from its characters alone, so that all languages are read alike.
 */
export class TextReader {
  /** Hashes of what tokens are compared by: the stem of a word, or the whole of others. */
  readonly terms: Int32Array = new Int32Array(MAX_TOKENS);
  /** The type of each token, from {@link PLAIN} to {@link VOLATILE}. */
  readonly types: Uint8Array = new Uint8Array(MAX_TOKENS);
  count = 0;
  /** Two rolling hashes of the tokens. */
  #low = FIRST_SEED;
  #high = SECOND_SEED;
  #lastToken = 0;
  #literal = 0;
  /** Where the part begins that {@link TextReader.literal} does not cover yet. */
  #unhashed = 0;
  /** Whether ids are names and numbers like others. */
  #keepsIds = false;

  /** Equal for texts that differ only in case, spacing, sentence marks and volatile tokens. */
  get exact(): number {
    return joinHash(this.#low, this.#high);
  }

  /** Equal for texts that differ only in case, outer white space and volatile tokens. */
  get literal(): number {
    return this.#literal;
  }

  /** Whether the text has at least fifteen words. */
  get isLong(): boolean {
    let words = 0;
    for (let i = 0; i < this.count && words < LONG; i++) {
      words += this.types[i] === HALF_WORD ? 0.5 : 1;
    }
    return words >= LONG;
  }

  clear(): void {
    this.count = 0;
    this.begin();
  }

  /** Resets the hashes, but keeps the tokens. */
  begin(): void {
    this.#lastToken = 0;
    this.#low = FIRST_SEED;
    this.#high = SECOND_SEED;
    this.#literal = 0;
  }

  /**
   * Adds a text to those read since {@link TextReader.clear}. With `keepsIds` only times and durations are volatile: who
   * speaks of an id means it, while results are full of ids that nobody asked for.
   */
  read(given: string, keepsIds = false): void {
    this.#keepsIds = keepsIds;
    const { units, length, text } = unitsOf(given);
    const end = endOf(units, length);
    let i = startOf(units, end);
    let ticks = 0;
    this.#unhashed = i;
    while (i < end) {
      const code = units[i] as number;
      if (code >= LETTER_A && code <= LETTER_Z) {
        i = this.#readWord(text, units, i);
        continue;
      }
      if (code === SPACE) {
        i++;
        continue;
      }
      const type = classify(code);
      if (type === LETTER || type === DIGIT || type === SYLLABLE || type === AKSHARA) {
        i = this.#readMixedWord(text, units, i, i, SEED, 0);
      } else if (type === DENSE) {
        i = this.#readDense(units, i, end);
      } else if (type === KANA) {
        i = this.#readKana(units, i, end);
      } else {
        if (type === SYMBOL) this.#add(code, code, PLAIN);
        if (isTick(units, i)) {
          // The progress of a checklist is a figure.
          const place = Math.imul(SEED ^ ++ticks, SECOND_PRIME);
          this.#add(place, place, NUMBER);
        }
        i++;
      }
    }
    this.#hashUpTo(units, end);
  }

  /** Hashes the text up to a volatile token or the end. */
  #hashUpTo(units: Uint16Array, to: number): void {
    if (to > this.#unhashed) this.#literal = hashUnits(this.#literal, units, this.#unhashed, to);
  }

  #readWord(text: string, units: Uint16Array, from: number): number {
    let hash = SEED;
    let stem = 0;
    let i = from;
    let code = units[i] as number;
    // Most words consist of these letters, which need no classifying.
    while (code >= LETTER_A && code <= LETTER_Z) {
      hash = Math.imul(hash ^ code, PRIME);
      if (i - from === STEM_LETTERS - 1) stem = hash;
      code = units[++i] as number;
    }
    const isEnd = code === SPACE || ((code === DOT || code === COMMA) && units[i + 1] === SPACE);
    // Brackets, quotation marks and line ends also end a word.
    if (!isEnd && classify(code) > SYMBOL) {
      return this.#readMixedWord(text, units, from, i, hash, stem);
    }
    this.#add(hash, stem || hash, i - from >= MIN_WORD_LETTERS ? WORD : PLAIN);
    // The space or the mark is consumed with the word.
    return isEnd ? i + 1 : i;
  }

  /** Continues at `start` a word that so far consists of small Latin letters. */
  #readMixedWord(
    text: string,
    units: Uint16Array,
    from: number,
    start: number,
    head: number,
    headStem: number,
  ): number {
    let hash = head;
    let stem = headStem;
    let letters = start - from;
    let syllables = 0;
    let digits = 0;
    let joiners = 0;
    let i = start;
    // The space after the text ends the last word.
    for (; ; i++) {
      const code = units[i] as number;
      const type = classify(code);
      if (type === LETTER) letters++;
      else if (type === DIGIT) digits++;
      else if (type === SYLLABLE) syllables++;
      else if (type === AKSHARA) letters += LETTERS_OF_AKSHARA;
      else if (type === JOINER && joins(units, i, digits > 0)) joiners++;
      else if (type !== MARK) break;
      hash = Math.imul(hash ^ code, PRIME);
      if (stem === 0 && (letters >= STEM_LETTERS || syllables === STEM_SYLLABLES)) stem = hash;
    }
    const isNumber = letters + syllables === 0;
    if (digits + joiners === 0 && !isNumber) {
      const isWord = letters >= MIN_WORD_LETTERS || syllables >= STEM_SYLLABLES;
      this.#add(hash, stem || hash, isWord ? WORD : PLAIN);
      return i;
    }
    const isPlain = isNumber && joiners === 0;
    const isId = isPlain && digits >= MIN_LONG_NUMBER;
    const shape = isId ? 'id' : isPlain ? 'other' : shapeOf(text, units, from, i);
    const isPassing = shape === 'time' || (shape === 'id' && !this.#keepsIds);
    if (isPassing || (isNumber && isDurationUnit(text, units, i))) {
      // A column is padded to its width.
      this.#hashUpTo(units, blankBefore(units, from));
      this.#unhashed = blankAfter(units, i);
      this.#keep(MASK, hash, VOLATILE);
      this.#hash(MASK);
    } else {
      const type = isNumber ? (digits === 1 ? DIGIT_NUMBER : NUMBER) : NAME;
      this.#keep(hash, hash, type);
      this.#hash(hash);
    }
    return i;
  }

  #readDense(units: Uint16Array, from: number, length: number): number {
    let previous = units[from] as number;
    let i = from + 1;
    for (; i < length; i++) {
      const code = units[i] as number;
      if (classify(code) !== DENSE) break;
      const pair = Math.imul(Math.imul(SEED ^ previous, PRIME) ^ code, PRIME);
      this.#add(pair, pair, HALF_WORD);
      previous = code;
    }
    if (i === from + 1) {
      const single = Math.imul(SEED ^ previous, PRIME);
      this.#add(single, single, HALF_WORD);
    }
    return i;
  }

  #readKana(units: Uint16Array, from: number, length: number): number {
    let hash = SEED;
    let stem = 0;
    let i = from;
    for (; i < length; i++) {
      const code = units[i] as number;
      if (classify(code) !== KANA) break;
      hash = Math.imul(hash ^ code, PRIME);
      if (i - from < STEM_KANA) stem = hash;
    }
    this.#add(hash, stem, i - from >= MIN_KANA ? HALF_WORD : PLAIN);
    return i;
  }

  #add(token: number, term: number, type: number): void {
    // An immediately repeated word adds nothing.
    if (token === this.#lastToken && type <= WORD) return;
    this.#keep(token, term, type);
    this.#hash(token);
  }

  #hash(token: number): void {
    this.#low = (Math.imul(this.#low ^ token, PRIME) + 1) | 0;
    this.#high = Math.imul(this.#high ^ token, SECOND_PRIME) ^ (this.#low >>> 15);
  }

  #keep(token: number, term: number, type: number): void {
    this.#lastToken = token;
    const { count } = this;
    if (count === MAX_TOKENS) return;
    this.terms[count] = term;
    this.types[count] = type;
    this.count = count + 1;
  }
}

/** Whether a ticked box is here: `[x]`, or a tick character. */
function isTick(units: Uint16Array, i: number): boolean {
  const code = units[i] as number;
  if (code === BRACKET) return units[i + 1] === LETTER_X && units[i + 2] === CLOSING;
  return code >= FIRST_SIGN && TICK.test(String.fromCharCode(code));
}

const TICK = /[\u2611\u2612\u2705\u2713-\u2718\u274c]/;
/** The first box or tick character. */
const FIRST_SIGN = 0x2610;
const BRACKET = 0x5b;
const CLOSING = 0x5d;
const LETTER_X = 0x78;
const SPACE = 0x20;
const COMMA = 0x2c;
const DOT = 0x2e;
const LETTER_A = 0x61;
const LETTER_Z = 0x7a;
