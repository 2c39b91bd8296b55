import type { JsonValue } from '../../json.ts';
import { restoredList, restoredNumber, restoredNumbers } from '../restored.ts';
import type { News } from './news.ts';
import { Sketch } from './sketch.ts';
import type { TextReader } from './text-reader.ts';
import { NAME, NUMBER } from './token.ts';
import type { Wording } from './wording.ts';

const CAPACITY = 16;
/** The same but for its order and a few words. */
const SAME = 0.95;
/** As alike as the same report written twice, from memory. */
const ALIKE = 0.5;
/** What a result is the result of stands at its beginning. */
const OPENING_TOKENS = 32;
/** With less after its opening than the opening is long, a message is a formula. */
const MIN_OPENED_TOKENS = 80;
const NONE: readonly number[] = [];

/** How a long message relates to earlier ones of its author. Indices of signals, oldest first. */
export interface Recollection {
  /** Those that were the same but for their order and a few words. */
  readonly revisits: readonly number[];
  /** Those that began with the very same words and had much of the rest. */
  readonly reopenings: readonly number[];
}

interface LongMessage {
  readonly index: number;
  readonly opening: number;
  readonly sketch: Sketch;
}

/** The latest long messages of one agent, as far as their terms go. */
export class LongMessages {
  readonly #all: LongMessage[] = [];
  #spare: Sketch = new Sketch();

  /** Finds the messages that were nearly the same as the one that `reader` has read, and remembers it among them. */
  take(index: number, wording: Wording, reader: TextReader, news: News): Recollection {
    const own = this.#spare;
    if (wording.isCut) own.draw(reader, reader.count);
    else own.copy(wording.sketch);
    const opening = openingOf(reader);
    const revisits = news.weight === 0 ? this.#like(own, SAME) : NONE;
    const reopenings = opening === 0 ? NONE : this.#like(own, ALIKE, opening);
    this.#spare = (this.#all.length === CAPACITY && this.#all.shift()?.sketch) || new Sketch();
    this.#all.push({ index, opening, sketch: own });
    return { revisits, reopenings };
  }

  /**
   * How many messages were much like the latest one, which `reader` has read; 0 if that has a name or a number which
   * none of them had.
   */
  recurrences({ terms, types, count }: TextReader): number {
    const own = this.#all.at(-1)?.sketch;
    const alike = this.#all.filter(
      ({ sketch }) => own !== undefined && sketch !== own && sketch.similarity(own) >= ALIKE,
    );
    for (let i = 0; i < count; i++) {
      const isFigure = types[i] === NAME || types[i] === NUMBER;
      if (isFigure && !alike.some(({ sketch }) => sketch.has(terms[i] as number))) return 0;
    }
    return alike.length;
  }

  snapshot(): JsonValue {
    return this.#all.map(({ index, opening, sketch }) => [index, opening, ...sketch.snapshot()]);
  }

  /** @throws {@link InvalidSnapshotError} */
  restore(path: string, snapshot: unknown): this {
    this.#all.length = 0;
    for (const entry of restoredList(path, snapshot).slice(-CAPACITY)) {
      const [index, opening, ...bits] = restoredNumbers(path, entry);
      this.#all.push({
        index: restoredNumber(path, index),
        opening: restoredNumber(path, opening),
        sketch: new Sketch().restore(path, bits),
      });
    }
    return this;
  }

  #like(own: Sketch, similarity: number, opening?: number): readonly number[] {
    return this.#all
      .filter((one) => opening === undefined || one.opening === opening)
      .filter(({ sketch }) => sketch.similarity(own) >= similarity)
      .map(({ index }) => index);
  }
}

/** A hash of the first words, exactly as they are; 0 for a message that is hardly more than them. */
function openingOf({ tokens, count }: TextReader): number {
  if (count < MIN_OPENED_TOKENS) return 0;
  let hash = 1;
  for (let i = 0; i < OPENING_TOKENS; i++) {
    hash = Math.imul(hash ^ (tokens[i] as number), 0x01000193);
  }
  return hash;
}
