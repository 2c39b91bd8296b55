import {
  DIGIT_NUMBER,
  HALF_WORD,
  MAX_TOKENS,
  NAME,
  PLAIN,
  type TextReader,
  WORD,
} from './text-reader.ts';
import type { Vocabulary } from './vocabulary.ts';

/** What the different terms of a text weigh, in words. */
const NAME_WEIGHT = 2;
const NUMBER_WEIGHT = 1.5;
const DIGIT_WEIGHT = 0.5;

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
  /** For each token of the reader, whether it is new. */
  readonly isNew: Uint8Array = new Uint8Array(MAX_TOKENS);

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
    this.#clear();
    const { terms, types, count } = reader;
    for (let i = 0; i < count; i++) {
      const type = types[i] as number;
      const lastUse = vocabulary.use((terms[i] as number) ^ salt, turn);
      const isNew = lastUse === 0 || turn - lastUse > horizonTurns;
      this.isNew[i] = isNew ? 1 : 0;
      if (type === PLAIN || lastUse === turn) continue;
      this.content += type === HALF_WORD ? 0.5 : 1;
      if (type >= NAME) this.figures++;
      if (!isNew) continue;
      if (type === WORD) this.words++;
      else if (type === HALF_WORD) this.words += 0.5;
      else if (type === NAME) this.names++;
      else if (type === DIGIT_NUMBER) this.digits++;
      else this.numbers++;
    }
  }

  /** Leaves the numbers out, where they are known to mean nothing. */
  ignoreNumbers(): void {
    this.numbers = 0;
    this.digits = 0;
  }

  #clear(): void {
    this.words = 0;
    this.names = 0;
    this.numbers = 0;
    this.digits = 0;
    this.content = 0;
    this.figures = 0;
  }
}
