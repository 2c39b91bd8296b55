import { InvalidSnapshotError } from '../../errors.ts';
import { restoredNumbers } from '../restored.ts';
import type { TextReader } from './text-reader.ts';
import { PLAIN } from './token.ts';

const WORDS = 32;
const BITS = 1024;
const SPREAD = 0x9e3779b1;

/** The set of terms of a text as 1,024 bits: enough to estimate how similar two texts are. */
export class Sketch {
  readonly #words: Int32Array = new Int32Array(WORDS);
  /** How many bits are set. */
  #size = 0;

  /** Draws the first `count` tokens that `reader` has read, and gives how many of them are terms. */
  draw({ terms, types }: TextReader, count: number): number {
    const words = this.#words.fill(0);
    let size = 0;
    let drawn = 0;
    for (let i = 0; i < count; i++) {
      if (types[i] === PLAIN) continue;
      drawn++;
      const place = placeOf(terms[i] as number);
      const word = words[place >> 5] as number;
      const bit = 1 << (place & 31);
      if ((word & bit) !== 0) continue;
      words[place >> 5] = word | bit;
      size++;
    }
    this.#size = size;
    return drawn;
  }

  /** Becomes equal to `other`. */
  copy(other: Sketch): void {
    this.#words.set(other.#words);
    this.#size = other.#size;
  }

  /** The Jaccard similarity of two sets of terms: 1 for equal ones. */
  similarity(other: Sketch): number {
    let both = 0;
    for (let i = 0; i < WORDS; i++) {
      both += countBits((this.#words[i] as number) & (other.#words[i] as number));
    }
    const either = this.#size + other.#size - both;
    return either === 0 ? 0 : both / either;
  }

  /** Whether this has a term that `other` lacks. */
  exceeds(other: Sketch): boolean {
    return this.#words.some((bits, i) => (bits & ~(other.#words[i] as number)) !== 0);
  }

  /** Whether the set has `term`, or another one with the same bit. */
  has(term: number): boolean {
    const place = placeOf(term);
    return ((this.#words[place >> 5] as number) & (1 << (place & 31))) !== 0;
  }

  snapshot(): number[] {
    return [...this.#words];
  }

  /** @throws {@link InvalidSnapshotError} */
  restore(path: string, snapshot: unknown): this {
    const words = restoredNumbers(path, snapshot);
    if (words.length !== WORDS) throw new InvalidSnapshotError(path, `${WORDS} numbers`, words);
    this.#words.set(words);
    this.#size = this.#words.reduce((size, word) => size + countBits(word), 0);
    return this;
  }
}

function placeOf(term: number): number {
  return (Math.imul(term, SPREAD) >>> 22) & (BITS - 1);
}

function countBits(value: number): number {
  const pairs = value - ((value >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
