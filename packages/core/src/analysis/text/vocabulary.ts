import type { JsonValue } from '../../json.ts';
import { readSparse, type Stateful, writeSparse } from '../../state/codec.ts';

const EMPTY = 0;
const SPREAD = 0x9e3779b1;

/** Before all turns: when a term was used last that is not known. */
const NEVER: number = -(2 ** 30);

/**
 * Remembers when each of the latest few thousand terms was last used.
 *
 * A table of pairs of slots: of the two terms that a pair can hold, the one unused for longer gives way. So it is
 * bounded, makes no garbage, and forgets what is no longer said.
 */
export class Vocabulary implements Stateful {
  readonly #mask: number;
  /** Term and turn of its last use, one after the other, so that both are read at once. */
  readonly #slots: Int32Array;

  /** `capacity` is a power of two. */
  constructor(capacity: number) {
    this.#mask = 2 * capacity - 4;
    this.#slots = new Int32Array(2 * capacity);
  }

  /** Notes a use of `term` at `turn` (from 1) and gives the turn of its last use, or a very small number. */
  use(term: number, turn: number): number {
    const slots = this.#slots;
    const key = term === EMPTY ? 1 : term;
    const pair = (Math.imul(key, SPREAD) >>> 11) & this.#mask;
    // All in arithmetic: branches that go either way by chance would take longer than all the rest.
    const isFirst = isZero((slots[pair] as number) ^ key);
    const isSecond = isZero((slots[pair + 2] as number) ^ key);
    const isSecondOlder = ((slots[pair + 3] as number) - (slots[pair + 1] as number)) >>> 31;
    const at = pair + 2 * (isSecond | (isSecondOlder & ~isFirst));
    const isKnown = isFirst | isSecond;
    const before = ((slots[at + 1] as number) & -isKnown) | (NEVER & (isKnown - 1));
    slots[at] = key;
    slots[at + 1] = turn;
    return before;
  }

  clear(): void {
    this.#slots.fill(EMPTY);
  }

  snapshot(): JsonValue {
    return writeSparse(this.#slots);
  }

  restore(path: string, json: unknown): void {
    readSparse(path, json, this.#slots);
  }
}

/** 1 for 0, and 0 for all else. */
function isZero(value: number): number {
  return ((value | -value) >>> 31) ^ 1;
}
