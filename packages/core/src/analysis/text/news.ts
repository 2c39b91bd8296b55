import { MAX_TOKENS, type TextReader } from './text-reader.ts';
import { DIGIT_NUMBER, HALF_WORD, NAME, NUMBER, TYPES, WORD } from './token.ts';
import type { Vocabulary } from './vocabulary.ts';

/** What the different terms of a text weigh, in words. */
const NAME_WEIGHT = 2;
const NUMBER_WEIGHT = 1.5;
const DIGIT_WEIGHT = 0.5;
/** Where the new ones are counted, after the others. */
const NEW = TYPES;

/** What a text brings that has not been said of late, and how much there is in it at all. */
export class News {
  /** New words, half words counted as halves. */
  words = 0;
  /** New names. */
  names = 0;
  /** New numbers of two digits or more. */
  numbers = 0;
  /** New numbers of one digit. */
  digits = 0;
  /** All different words, names and numbers, new or not. */
  content = 0;
  /** All different names and numbers, new or not. */
  figures = 0;
  /** All different numbers of two digits or more, new or not. */
  allNumbers = 0;
  /** For each token of the reader, whether it is new. */
  readonly isNew: Uint8Array = new Uint8Array(MAX_TOKENS);
  /** How many different terms there are of each type. */
  readonly #tally: Int32Array = new Int32Array(2 * TYPES);

  /** New names, and new numbers of more than one digit. */
  get newFigures(): number {
    return this.names + this.numbers;
  }

  /** The news in words: names and numbers weigh more, single digits less. */
  get weight(): number {
    return (
      this.words +
      NAME_WEIGHT * this.names +
      NUMBER_WEIGHT * this.numbers +
      DIGIT_WEIGHT * this.digits
    );
  }

  /**
   * Compares what `reader` has read with the vocabulary, and adds it there.
   *
   * `turn` counts from 1; what was last used more than `horizonTurns` ago is new. With a `salt`, terms are compared
   * only with those read under the same salt.
   */
  take(
    reader: TextReader,
    vocabulary: Vocabulary,
    turn: number,
    horizonTurns: number,
    salt = 0,
  ): void {
    const { terms, types, count } = reader;
    const flags = this.isNew;
    const tally = this.#tally.fill(0);
    // Counted without branches, which would go either way by chance.
    for (let i = 0; i < count; i++) {
      const lastUse = vocabulary.use((terms[i] as number) ^ salt, turn);
      const isNew = (lastUse - turn + horizonTurns) >>> 31;
      const isFirstHere = (lastUse - turn) >>> 31;
      flags[i] = isNew;
      const kind = (types[i] as number) + NEW * isNew;
      tally[kind] = (tally[kind] as number) + isFirstHere;
    }
    const newOf = (type: number): number => tally[NEW + type] as number;
    const allOf = (type: number): number => (tally[type] as number) + newOf(type);
    this.words = newOf(WORD) + newOf(HALF_WORD) / 2;
    this.names = newOf(NAME);
    this.numbers = newOf(NUMBER);
    this.digits = newOf(DIGIT_NUMBER);
    this.allNumbers = allOf(NUMBER);
    this.figures = allOf(NAME) + this.allNumbers + allOf(DIGIT_NUMBER);
    this.content = allOf(WORD) + allOf(HALF_WORD) / 2 + this.figures;
  }

  /** Leaves the numbers out, where they are known to mean nothing. */
  ignoreNumbers(): void {
    this.numbers = 0;
    this.digits = 0;
  }
}
