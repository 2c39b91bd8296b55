import type { JsonValue } from '../../json.ts';
import { FRAME_SHARE } from '../../judgement.ts';
import { list, number } from '../../state/codec.ts';
import type { TextReader } from './reader/text-reader.ts';
import { NAME, PLAIN } from './reader/token.ts';

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
