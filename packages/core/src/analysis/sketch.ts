import { PLAIN, type TextReader } from './text-reader.ts';

const WORDS = 32;
const BITS = 1024;
const SPREAD = 0x9e3779b1;

/** The set of terms of a text as 1,024 bits: enough to estimate how similar two texts are. */
export type Sketch = readonly number[];

/** Draws the sketch of the first `count` tokens that `reader` has read into `bits`, and gives it back. @internal */
export function sketch(reader: TextReader, count: number, bits: number[]): number[] {
  for (let i = 0; i < WORDS; i++) bits[i] = 0;
  for (let i = 0; i < count; i++) {
    if (reader.types[i] === PLAIN) continue;
    const bit = bitOf(reader.terms[i] as number);
    bits[bit >> 5] = (bits[bit >> 5] as number) | (1 << (bit & 31));
  }
  return bits;
}

/** The Jaccard similarity of two sets of terms: 1 for equal ones. @internal */
export function similarity(a: Sketch, b: Sketch): number {
  let both = 0;
  let either = 0;
  for (let i = 0; i < WORDS; i++) {
    both += countBits((a[i] as number) & (b[i] as number));
    either += countBits((a[i] as number) | (b[i] as number));
  }
  return either === 0 ? 0 : both / either;
}

/** Whether `before` has a term that `now` lacks. @internal */
export function lacksAny(before: Sketch, now: Sketch): boolean {
  return before.some((bits, i) => (bits & ~(now[i] as number)) !== 0);
}

/** Whether the set has `term`, or another one with the same bit. @internal */
export function has(sketch: Sketch, term: number): boolean {
  const bit = bitOf(term);
  return ((sketch[bit >> 5] as number) & (1 << (bit & 31))) !== 0;
}

function bitOf(term: number): number {
  return (Math.imul(term, SPREAD) >>> 22) & (BITS - 1);
}

function countBits(value: number): number {
  const pairs = value - ((value >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
