import { InvalidSnapshotError } from '../../errors.ts';
import { restoredNumbers } from '../restored.ts';

const EMPTY = 0;
const SPREAD = 0x9e3779b1;

/** Before all turns: when a term was used last that is not known. */
const NEVER: number = -(2 ** 30);

/**
 * Remembers when each of the latest few thousand terms was last used.
 *
 * A table of pairs of slots: of the two terms that a pair can hold, the one unused for longer gives way. So it is
 * bounded, makes no garbage, and forgets what nobody says any more.
 */
export class Vocabulary {
  readonly #mask: number;
  /** Term and turn of its last use, one after the other, so that both are read at once. */
  readonly #slots: Int32Array;

  /** `capacity` is a power of two. */
  constructor(capacity: number) {
    this.#mask = 2 * capacity - 4;
    this.#slots = new Int32Array(2 * capacity);
  }

  /** Notes a use of `term` at `turn` (from 1) and gives the turn of its last use, or {@link NEVER}. */
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

  /** Whether `term` was used, without using it. */
  has(term: number): boolean {
    const key = term === EMPTY ? 1 : term;
    const pair = (Math.imul(key, SPREAD) >>> 11) & this.#mask;
    return this.#slots[pair] === key || this.#slots[pair + 2] === key;
  }

  clear(): void {
    this.#slots.fill(EMPTY);
  }

  /** Slot, term and turn, one after the other; empty slots left out. */
  snapshot(): number[] {
    const flat: number[] = [];
    for (let at = 0; at < this.#slots.length; at += 2) {
      const term = this.#slots[at] as number;
      if (term !== EMPTY) flat.push(at, term, this.#slots[at + 1] as number);
    }
    return flat;
  }

  /** @throws {@link InvalidSnapshotError} */
  restore(path: string, snapshot: unknown): void {
    const flat = restoredNumbers(path, snapshot);
    this.clear();
    for (let i = 0; i + 2 < flat.length; i += 3) {
      const at = flat[i] as number;
      if (at % 2 !== 0 || this.#slots[at] === undefined) {
        throw new InvalidSnapshotError(path, 'known slots', at);
      }
      this.#slots[at] = flat[i + 1] as number;
      this.#slots[at + 1] = flat[i + 2] as number;
    }
  }
}

/** 1 for 0, and 0 for all else. */
function isZero(value: number): number {
  return ((value | -value) >>> 31) ^ 1;
}
