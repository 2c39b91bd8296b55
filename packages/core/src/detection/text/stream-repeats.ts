import { REPEATED_DATA, REPEATED_PROSE } from '../judgement.ts';
import { saysSomething } from './says-something.ts';

/** What an answer repeats at its end. */
export interface Repeated {
  readonly text: string;
  /** How often it came, one after the other. */
  readonly times: number;
}

/** Characters that are kept. A longer text that repeats is not seen. A power of two. */
const KEPT = 4_096;
const KEPT_MASK: number = KEPT - 1;
/** What came before is found again by this many characters. */
const GRAM = 16;
/** How far a repetition is followed back to its beginning. */
const MAX_BACK = 256;
const BASE = 0x01000193;
/** What leaves a gram counts this much in its hash. */
const LEAVING: number = powerOf(BASE, GRAM);
const SPREAD = 0x9e3779b1;
const PLACE_BITS = 11;
const PLACE_SHIFT: number = 32 - PLACE_BITS;
/** Nothing is kept of answers that are not longer. */
const SHORT = 1_000;
const LINE_END = 0x0a;
const SPACE = 0x20;
const FENCES: readonly number[] = [0x60, 0x7e];
const FENCE_LENGTH = 3;

/**
 * Notices that a text has come to repeat itself and nothing else, word by word, while it streams: with the same character, whatever
 * pieces it comes in. Needs 16 KB, and the same time for each character.
 */
export class StreamRepeats {
  readonly #limit: number;
  readonly #isData: boolean;
  #count = 0;
  #kept: Uint16Array = EMPTY;
  /** Where each gram came last, by its hash. */
  #places: Int32Array = NOWHERE;
  #hash = 0;
  /** How far back what comes now has come before; 0 if it has not. */
  #period = 0;
  /** Since where, and how far it has to hold. */
  #from = 0;
  #due = 0;
  /** How many characters of a fence the line has begun with; negative for a line of something else. */
  #fence = 0;
  #isFenced = false;

  /** `limit`: how often a text has to come. `isData`: whether it says nothing to anybody, such as the arguments of a call. */
  constructor(limit: number, isData: boolean) {
    this.#limit = limit;
    this.#isData = isData;
  }

  /** Takes the next piece. Returns what is repeated, once that is certain; the rest of the piece is not read. */
  add(piece: string): Repeated | undefined {
    const { length } = piece;
    let start = 0;
    for (; start < length && this.#count < SHORT; start++, this.#count++) {
      this.#readFence(piece.charCodeAt(start));
    }
    if (start === length) return undefined;
    if (this.#kept === EMPTY) {
      this.#kept = new Uint16Array(KEPT);
      this.#places = new Int32Array(1 << PLACE_BITS);
    }
    return this.#read(piece, start);
  }

  /** Each character costs time: what changes with it is held in variables. */
  #read(piece: string, start: number): Repeated | undefined {
    const kept = this.#kept;
    const places = this.#places;
    let at = this.#count;
    let hash = this.#hash;
    let period = this.#period;
    for (let i = start; i < piece.length; i++, at++) {
      const code = piece.charCodeAt(i);
      if (code === LINE_END || this.#fence >= 0) this.#readFence(code);
      const leaving = kept[(at - GRAM) & KEPT_MASK] as number;
      hash = (Math.imul(hash, BASE) + code - Math.imul(leaving, LEAVING)) | 0;
      const place = Math.imul(hash, SPREAD) >>> PLACE_SHIFT;
      const distance = at - (places[place] as number);
      places[place] = at;
      const isAgain = period > 0 && kept[(at - period) & KEPT_MASK] === code;
      kept[at & KEPT_MASK] = code;
      if (!isAgain) {
        period = distance < KEPT ? this.#began(distance, at) : 0;
      } else if (at >= this.#due) {
        this.#count = at;
        const repeated = this.#certain();
        if (repeated !== undefined) return repeated;
      }
    }
    this.#count = at;
    this.#hash = hash;
    this.#period = period;
    return undefined;
  }

  /** What comes may be what came a period before, unless that only has the same hash. Returns the period, or 0. */
  #began(period: number, at: number): number {
    const kept = this.#kept;
    const most = Math.min(KEPT - period, MAX_BACK);
    let back = 0;
    while (back < most && kept[(at - back) & KEPT_MASK] === kept[(at - back - period) & KEPT_MASK])
      back++;
    if (back < GRAM) return 0;
    this.#period = period;
    this.#from = at - back - period + 1;
    this.#due = this.#from + Math.max(REPEATED_PROSE, this.#limit * period);
    return period;
  }

  #certain(): Repeated | undefined {
    const period = this.#period;
    const text = this.#latest(period);
    const length = this.#count - this.#from;
    if (length < REPEATED_DATA && !(this.#mayBeProse(text) && saysSomething(text))) {
      this.#due = this.#from + REPEATED_DATA;
      return undefined;
    }
    return { text, times: Math.floor(length / period) };
  }

  /** Whole blocks of code that come again and again are no code any more. */
  #mayBeProse(text: string): boolean {
    return !this.#isData && (!this.#isFenced || text.includes('```') || text.includes('~~~'));
  }

  /** A text of this length that has come again and again, from where it began first, or from the next word on. */
  #latest(length: number): string {
    const begun = this.#count - ((this.#count - this.#from) % length);
    const codes = Array.from({ length }, (_, i) => {
      const at = begun + i;
      return this.#kept[(at > this.#count ? at - length : at) & KEPT_MASK] as number;
    });
    const text = String.fromCharCode(...codes);
    const line = text.search(/\n\S/) + 1;
    const start = /\s$/.test(text) ? 0 : line || text.search(/\s\S/) + 1;
    return text.slice(start) + text.slice(0, start);
  }

  #readFence(code: number): void {
    if (code === LINE_END) this.#fence = 0;
    else if (this.#fence < 0 || (code === SPACE && this.#fence === 0)) return;
    else if (!FENCES.includes(code)) this.#fence = -1;
    else if (++this.#fence === FENCE_LENGTH) {
      this.#isFenced = !this.#isFenced;
      this.#fence = -1;
    }
  }
}

const EMPTY: Uint16Array = new Uint16Array(0);
const NOWHERE: Int32Array = new Int32Array(0);

function powerOf(base: number, exponent: number): number {
  let power = 1;
  for (let i = 0; i < exponent; i++) power = Math.imul(power, base);
  return power;
}
