import type { JsonValue } from '../../json.ts';
import { readSparse, writeSparse } from '../../state/codec.ts';
import type { Stateful } from '../../state/stateful.ts';

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

  /** `capacity` is a power of two. */
  constructor(capacity: number) {
    this.#capacity = capacity;
    const first = Math.min(capacity, FIRST_CAPACITY);
    this.#mask = 2 * first - 4;
    this.#slots = new Int32Array(2 * first);
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
