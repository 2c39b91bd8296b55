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

  /** Draws the first `count` tokens that `reader` has read, and gives how many of them are terms. */
  draw({ terms, types }: TextReader, count: number): number {
    const words = this.#words.fill(0);
    let drawn = 0;
    for (let i = 0; i < count; i++) {
      // 0 for what is plain: a branch on it would go either way by chance.
      const isTerm = (PLAIN - (types[i] as number)) >>> 31;
      const place = placeOf(terms[i] as number);
      words[place >> 5] = (words[place >> 5] as number) | (isTerm << (place & 31));
      drawn += isTerm;
    }
    return drawn;
  }

  /** Becomes equal to `other`. */
  copy(other: Sketch): void {
    this.#words.set(other.#words);
  }

  /** The Jaccard similarity of two sets of terms: 1 for equal ones. */
  similarity(other: Sketch): number {
    let both = 0;
    let either = 0;
    for (let i = 0; i < WORDS; i++) {
      const own = this.#words[i] as number;
      const others = other.#words[i] as number;
      both += countBits(own & others);
      either += countBits(own | others);
    }
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
