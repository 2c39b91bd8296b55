import type { JsonValue } from '../../common/json.ts';
import { readSparse, writeSparse } from '../../state/codec.ts';
import type { Stateful } from '../../state/stateful.ts';
import { FIGURE_WEIGHT } from '../judgement.ts';
import type { TextReader } from './reader/text-reader.ts';
import { DIGIT_NUMBER, HALF_WORD, NAME, NUMBER, TYPES, WORD } from './reader/token.ts';

const EMPTY = 0;
/** Initial number of terms: most conversations are short. */
const FIRST_CAPACITY = 8;
/** Growth factor up to the full size. */
const GROWTH = 8;
const SPREAD = 0x9e3779b1;

/** The last use of an unknown term: before all turns. */
const NEVER: number = -(2 ** 30);

/**
 * Remembers when each of the latest few thousand terms was last used.
 *
 * A table with two slots per place, where the term unused for longer is replaced: bounded, and without garbage.
 */
export class Vocabulary implements Stateful {
  readonly #capacity: number;
  #mask: number;
  /** Term and turn of its last use, side by side for the cache. */
  #slots: Int32Array;

  /** `capacity` is a power of two, and at least the first one. */
  constructor(capacity: number) {
    this.#capacity = capacity;
    this.#mask = 2 * FIRST_CAPACITY - 4;
    this.#slots = new Int32Array(2 * FIRST_CAPACITY);
  }

  /** Notes a use of `term` at `turn` (from 1). Returns the turn of its last use, or a very small number. */
  use(term: number, turn: number): number {
    const slots = this.#slots;
    const key = term === EMPTY ? 1 : term;
    const pair = (Math.imul(key, SPREAD) >>> 11) & this.#mask;
    // Arithmetic only: unpredictable branches would take longer than the rest.
    const isFirst = isZero((slots[pair] as number) ^ key);
    const isSecond = isZero((slots[pair + 2] as number) ^ key);
    const isSecondOlder = ((slots[pair + 3] as number) - (slots[pair + 1] as number)) >>> 31;
    const at = pair + 2 * (isSecond | (isSecondOlder & ~isFirst));
    const isKnown = isFirst | isSecond;
    if (slots.length < 2 * this.#capacity && isKnown === 0 && slots[at] !== EMPTY) {
      // No term is replaced before the table has its full size.
      this.#grow(Math.min(this.#capacity, (GROWTH * slots.length) / 2));
      return this.use(term, turn);
    }
    const before = ((slots[at + 1] as number) & -isKnown) | (NEVER & (isKnown - 1));
    slots[at] = key;
    slots[at + 1] = turn;
    return before;
  }

  clear(): void {
    this.#slots.fill(EMPTY);
  }

  snapshot(): JsonValue {
    this.#grow(this.#capacity);
    return writeSparse(this.#slots);
  }

  restore(path: string, json: unknown): void {
    this.#grow(this.#capacity);
    readSparse(path, json, this.#slots);
  }

  /** Rehashes the terms into a larger table. */
  #grow(capacity: number): void {
    const before = this.#slots;
    if (before.length === 2 * capacity) return;
    this.#mask = 2 * capacity - 4;
    this.#slots = new Int32Array(2 * capacity);
    for (let at = 0; at < before.length; at += 2) {
      if (before[at] !== EMPTY) this.use(before[at] as number, before[at + 1] as number);
    }
  }
}

/** 1 for 0, and 0 for all else. */
function isZero(value: number): number {
  return ((value | -value) >>> 31) ^ 1;
}

/** Offset of the counts of new terms. */
const NEW = TYPES;

/** A text with this share of new words, and so many of them, differs in content from those before. */
const EDITED_SHARE = 0.1;
const EDITED_WORDS = 2;

/** How much of a text is new, and how much it contains. */
export class News {
  /** New words; half words count as halves. */
  words = 0;
  /** New names and numbers of more than one digit. */
  figures = 0;
  /** The news in words: names and numbers weigh more. */
  weight = 0;
  /** Different words, names and numbers. */
  content = 0;
  /** Different names and numbers. */
  allFigures = 0;
  /** How many of the content are new. */
  fresh = 0;
  /** Different terms of each type; the new ones after the others. */
  readonly #tally: Int32Array = new Int32Array(2 * TYPES);

  /** Whether the content differs from that of all texts before. */
  get isEdited(): boolean {
    return this.words >= Math.max(EDITED_WORDS, EDITED_SHARE * this.content);
  }

  /** The share of news in the content, from 0 to 1. */
  get share(): number {
    return this.content === 0 ? 0 : this.fresh / this.content;
  }

  /**
   * Compares the text in `reader` with the vocabulary, and adds it there. `turn` counts from 1; a term last used more than
   * `horizonTurns` ago is new.
   */
  take(reader: TextReader, vocabulary: Vocabulary, turn: number, horizonTurns: number): this {
    const { terms, types, count } = reader;
    const tally = this.#tally.fill(0);
    // Without branches, which would be unpredictable.
    for (let i = 0; i < count; i++) {
      const lastUse = vocabulary.use(terms[i] as number, turn);
      const isNew = (lastUse - turn + horizonTurns) >>> 31;
      const isFirstHere = (lastUse - turn) >>> 31;
      const kind = (types[i] as number) + NEW * isNew;
      tally[kind] = (tally[kind] as number) + isFirstHere;
    }
    const newOf = (type: number): number => tally[NEW + type] as number;
    const allOf = (type: number): number => (tally[type] as number) + newOf(type);
    this.words = newOf(WORD) + newOf(HALF_WORD) / 2;
    this.figures = newOf(NAME) + newOf(NUMBER);
    this.weight = this.words + FIGURE_WEIGHT * this.figures;
    this.fresh = this.words + this.figures + newOf(DIGIT_NUMBER);
    this.allFigures = allOf(NAME) + allOf(NUMBER) + allOf(DIGIT_NUMBER);
    this.content = allOf(WORD) + allOf(HALF_WORD) / 2 + this.allFigures;
    return this;
  }
}
