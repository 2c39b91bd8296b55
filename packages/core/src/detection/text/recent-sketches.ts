import type { JsonValue } from '../../common/json.ts';
import { count, list } from '../../state/codec.ts';
import type { Stateful } from '../../state/stateful.ts';
import type { TextReader } from './reader/text-reader.ts';
import { PLAIN, VOLATILE } from './reader/token.ts';

const PLACES = 1024;
const SPREAD = 0x9e3779b1;

/** The set of terms of a text as places out of 1,024, to estimate how similar two texts are. */
export class Sketch {
  /** The different places of its terms; only the first {@link Sketch.size} count. */
  readonly places: Uint16Array = new Uint16Array(PLACES);
  readonly #taken: Uint8Array = new Uint8Array(PLACES);
  size = 0;

  /** Sketches the meaningful terms of the text in `reader`. */
  draw({ terms, types, count }: TextReader): void {
    for (let i = 0; i < this.size; i++) this.#taken[this.places[i] as number] = 0;
    this.size = 0;
    for (let i = 0; i < count; i++) {
      const type = types[i] as number;
      if (type === PLAIN || type === VOLATILE) continue;
      const place = (Math.imul(terms[i] as number, SPREAD) >>> 22) & (PLACES - 1);
      if (this.#taken[place] !== 0) continue;
      this.#taken[place] = 1;
      this.places[this.size++] = place;
    }
  }
}

/** Number of texts, one bit of a mask each. */
export const SLOTS = 16;
/** Bits of a count of common places. */
const PLANES = 11;

/**
 * Compares a text with the latest 16 at once.
 *
 * A mask for each place says which texts have it. The masks of a new text are added bit by bit, one plane for each bit of the
 * sums, which takes one step per term instead of one per term and text.
 */
export class RecentSketches implements Stateful {
  readonly #masks: Uint16Array = new Uint16Array(PLACES);
  readonly #planes: number[] = new Array<number>(PLANES).fill(0);
  // Not typed arrays, which are slow to create.
  readonly #places: number[][] = [];
  readonly #sizes: number[] = new Array<number>(SLOTS).fill(0);
  /** Number of planes in use. */
  #used = 0;
  #next = 0;

  /** Compares a text with the remembered ones. */
  compare({ places, size }: Sketch): void {
    const planes = this.#planes.fill(0);
    let used = 0;
    for (let i = 0; i < size; i++) {
      let carry = this.#masks[places[i] as number] as number;
      for (let plane = 0; carry !== 0; plane++) {
        const sum = planes[plane] as number;
        planes[plane] = sum ^ carry;
        carry &= sum;
        if (plane >= used) used = plane + 1;
      }
    }
    this.#used = used;
  }

  /** The Jaccard similarity of the compared text, of `size` places, and the text `back` places ago, from 1. */
  similarity(back: number, size: number): number {
    const slot = (this.#next + SLOTS - back) % SLOTS;
    let both = 0;
    for (let plane = 0; plane < this.#used; plane++) {
      both |= (((this.#planes[plane] as number) >>> slot) & 1) << plane;
    }
    return both === 0 ? 0 : both / ((this.#sizes[slot] as number) + size - both);
  }

  /** Replaces the oldest text. */
  add({ places, size }: Sketch): void {
    const slot = this.#next;
    const bit = 1 << slot;
    let kept = this.#places[slot];
    const before = this.#sizes[slot] as number;
    for (let i = 0; i < before; i++) {
      const place = (kept as number[])[i] as number;
      this.#masks[place] = (this.#masks[place] as number) & ~bit;
    }
    if (kept === undefined || kept.length < size) {
      kept = new Array<number>(size);
      this.#places[slot] = kept;
    }
    for (let i = 0; i < size; i++) {
      const place = places[i] as number;
      kept[i] = place;
      this.#masks[place] = (this.#masks[place] as number) | bit;
    }
    this.#sizes[slot] = size;
    this.#next = (slot + 1) % SLOTS;
  }

  clear(): void {
    this.#masks.fill(0);
    this.#sizes.fill(0);
    this.#places.length = 0;
    this.#next = 0;
  }

  /** The places of the texts, oldest first. */
  snapshot(): JsonValue {
    const slots = Array.from({ length: SLOTS }, (_, i) => (this.#next + i) % SLOTS);
    return slots
      .filter((slot) => this.#places[slot] !== undefined)
      .map((slot) => (this.#places[slot] as number[]).slice(0, this.#sizes[slot]));
  }

  restore(path: string, json: unknown): void {
    const texts = TEXTS.read(path, json);
    this.clear();
    for (const text of texts) {
      const places = Uint16Array.from(text.filter((place) => place < PLACES));
      this.add({ places, size: places.length } as Sketch);
    }
  }
}

const TEXTS = list(list(count, PLACES), SLOTS);
