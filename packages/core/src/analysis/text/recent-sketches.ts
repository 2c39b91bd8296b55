import type { JsonValue } from '../../json.ts';
import { count, list, type Stateful } from '../../state/codec.ts';
import { PLACES, type Sketch } from './sketch.ts';

/** How many texts a new one is compared with: as many as a mask has bits. */
export const SLOTS = 16;
/** Bits of a number of common places. */
const PLANES = 11;

/**
 * Compares a text with the latest 16, all at once.
 *
 * For each place a mask says which of the texts take it. The masks of a new text's places are added up bit by bit, with
 * one bit of each sum in each plane: so it takes one step for each term instead of one for each term and text.
 */
export class RecentSketches implements Stateful {
  readonly #masks: Uint16Array = new Uint16Array(PLACES);
  readonly #planes: number[] = new Array<number>(PLANES).fill(0);
  /** Not typed arrays, which take longer to make than to fill. */
  readonly #places: number[][] = [];
  readonly #sizes: number[] = new Array<number>(SLOTS).fill(0);
  /** Planes with a bit in them are below this one. */
  #used = 0;
  #next = 0;

  /** Compares a text with those before it. */
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

  /** The Jaccard similarity of the text compared last, of `size` places, and the one so many texts back, from 1. */
  similarity(back: number, size: number): number {
    const slot = (this.#next + SLOTS - back) % SLOTS;
    let both = 0;
    for (let plane = 0; plane < this.#used; plane++) {
      both |= (((this.#planes[plane] as number) >>> slot) & 1) << plane;
    }
    return both === 0 ? 0 : both / ((this.#sizes[slot] as number) + size - both);
  }

  /** Remembers a text in place of the oldest one. */
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

  /** The places of the texts, the oldest one first. */
  snapshot(): JsonValue {
    const slots = Array.from({ length: SLOTS }, (_, i) => (this.#next + i) % SLOTS);
    return slots
      .filter((slot) => this.#places[slot] !== undefined)
      .map((slot) => (this.#places[slot] as number[]).slice(0, this.#sizes[slot]));
  }

  restore(path: string, json: unknown): void {
    const texts = TEXTS.read(path, json);
    this.#masks.fill(0);
    this.#sizes.fill(0);
    this.#places.length = 0;
    this.#next = 0;
    for (const text of texts) {
      const places = Uint16Array.from(text.filter((place) => place < PLACES));
      this.add({ places, size: places.length } as Sketch);
    }
  }
}

const TEXTS = list(list(count, PLACES), SLOTS);
