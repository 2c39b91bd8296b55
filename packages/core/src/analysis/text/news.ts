import { FIGURE_WEIGHT } from '../../judgement.ts';
import type { TextReader } from './reader/text-reader.ts';
import { DIGIT_NUMBER, HALF_WORD, NAME, NUMBER, TYPES, WORD } from './reader/token.ts';
import type { Vocabulary } from './vocabulary.ts';

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
