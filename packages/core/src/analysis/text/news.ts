import { MAX_TOKENS, type TextReader } from './text-reader.ts';
import { DIGIT_NUMBER, HALF_WORD, NAME, PLAIN, WORD } from './token.ts';
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
    const { terms, types, count } = reader;
    const flags = this.isNew;
    // Counted in halves and in local variables, which is twice as fast as counting in fields.
    let words = 0;
    let content = 0;
    let names = 0;
    let numbers = 0;
    let digits = 0;
    let figures = 0;
    for (let i = 0; i < count; i++) {
      const type = types[i] as number;
      const lastUse = vocabulary.use((terms[i] as number) ^ salt, turn);
      const isNew = lastUse === 0 || turn - lastUse > horizonTurns;
      flags[i] = isNew ? 1 : 0;
      if (type === PLAIN || lastUse === turn) continue;
      content += type === HALF_WORD ? 1 : 2;
      if (type >= NAME) figures++;
      if (!isNew) continue;
      if (type === WORD) words += 2;
      else if (type === HALF_WORD) words++;
      else if (type === NAME) names++;
      else if (type === DIGIT_NUMBER) digits++;
      else numbers++;
    }
    this.words = words / 2;
    this.content = content / 2;
    this.names = names;
    this.numbers = numbers;
    this.digits = digits;
    this.figures = figures;
  }

  /** Leaves the numbers out, where they are known to mean nothing. */
  ignoreNumbers(): void {
    this.numbers = 0;
    this.digits = 0;
  }
}
