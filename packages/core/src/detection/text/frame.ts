import { hashPart } from '../../common/hash.ts';
import type { JsonValue } from '../../common/json.ts';
import { list, number } from '../../state/codec.ts';
import { FRAME_SHARE } from '../judgement.ts';
import type { TextReader } from './reader/text-reader.ts';
import { NAME, PLAIN } from './reader/token.ts';

const HEAD_LENGTH = 40;
/** Lines of an answer within which the quoted message begins. */
const HEAD_LINES = 64;
const SPACE = 0x20;
const TAB = 0x09;
const ANGLE = 0x3e;
const BAR = 0x7c;
const NEWLINE = 0x0a;

/** Hash of the beginning of the line at `start`, without quote marks; 0 for an empty line. */
export function headOf(text: string, start = 0): number {
  const from = afterMarks(text, start);
  const most = Math.min(text.length, from + HEAD_LENGTH);
  let to = from;
  while (to < most && text.charCodeAt(to) !== NEWLINE) to++;
  return to === from ? 0 : hashPart(text, from, to);
}

/** The first unit of a line after its quote marks; `NaN` for an empty text. */
export function firstUnitOf(text: string): number {
  return text.charCodeAt(afterMarks(text, 0));
}

/**
 * Whether a message quotes below its own text the one that begins with `head`. With `first`, its first unit, most lines need
 * not be hashed.
 */
export function carriesBelow(text: string, head: number, first: number | undefined): boolean {
  if (head === 0) return false;
  let newline = text.indexOf('\n');
  for (let line = 1; newline >= 0 && line < HEAD_LINES; line++) {
    const from = afterMarks(text, newline + 1);
    const isLike = first === undefined || text.charCodeAt(from) === first;
    if (isLike && headOf(text, from) === head) return true;
    newline = text.indexOf('\n', newline + 1);
  }
  return false;
}

function afterMarks(text: string, start: number): number {
  let from = start;
  while (from < text.length && isQuoteMark(text.charCodeAt(from))) from++;
  return from;
}

function isQuoteMark(code: number): boolean {
  return code === SPACE || code === TAB || code === ANGLE || code === BAR;
}

/** Longer texts are compared by their beginning. */
const MAX_TOKENS = 256;
/** The terms of a text, to recognize later texts that differ from it in one place. */
export class Frame {
  // Not typed arrays, which are slow to create.
  #terms: number[] = [];
  #types: number[] = [];
  #count = 0;

  read({ terms, types, count }: TextReader): void {
    this.#count = Math.min(count, MAX_TOKENS);
    if (this.#terms.length < this.#count) {
      this.#terms = new Array<number>(this.#count);
      this.#types = new Array<number>(this.#count);
    }
    for (let i = 0; i < this.#count; i++) {
      const type = types[i] as number;
      this.#types[i] = type;
      this.#terms[i] = type > NAME ? NAME : (terms[i] as number);
    }
  }

  /** Whether `now` is this text with another item in one place. */
  isRefilledBy(now: Frame): boolean {
    const least = Math.min(this.#count, now.#count);
    let head = 0;
    while (head < least && this.#terms[head] === now.#terms[head]) head++;
    let tail = 0;
    while (tail < least - head && this.#at(tail) === now.#at(tail)) tail++;
    const same = head + tail;
    // They differ in numbers only.
    if (same === this.#count && same === now.#count) return same > 0;
    if (same === 0 || same < FRAME_SHARE * Math.max(this.#count, now.#count)) return false;
    // A single short word may be an item too: a letter, a field of a board.
    const isOneForOne = this.#count === same + 1 && now.#count === same + 1;
    if (isOneForOne && !this.#has(now.#terms[head] as number)) return true;
    return this.#hasTerm(head, this.#count - tail) && now.#isOther(this, head, now.#count - tail);
  }

  snapshot(): JsonValue {
    return [...this.#terms.slice(0, this.#count), ...this.#types.slice(0, this.#count)];
  }

  restore(path: string, json: unknown): void {
    const flat = list(number, 2 * MAX_TOKENS).read(path, json);
    this.#count = flat.length >> 1;
    // Coerced to the integer sizes, whatever a snapshot holds.
    this.#terms = [...Int32Array.from(flat.slice(0, this.#count))];
    this.#types = [...Uint8Array.from(flat.slice(this.#count, 2 * this.#count))];
  }

  #at(back: number): number {
    return this.#terms[this.#count - 1 - back] as number;
  }

  #hasTerm(from: number, to: number): boolean {
    for (let i = from; i < to; i++) if (this.#types[i] !== PLAIN) return true;
    return false;
  }

  /** Whether most meaningful terms of the range do not occur in `before`. */
  #isOther(before: Frame, from: number, to: number): boolean {
    let balance = 0;
    for (let i = from; i < to; i++) {
      if (this.#types[i] !== PLAIN) balance += before.#has(this.#terms[i] as number) ? -1 : 1;
    }
    return balance > 0;
  }

  #has(term: number): boolean {
    for (let i = 0; i < this.#count; i++) if (this.#terms[i] === term) return true;
    return false;
  }
}
