import { InvalidSnapshotError } from '../errors.ts';
import { restoredNumbers } from './restored.ts';

const EMPTY = 0;
const SPREAD = 0x9e3779b1;

/**
 * Remembers when each of the latest few thousand terms was last used.
 *
 * A table of pairs of slots: of the two terms that a pair can hold, the one unused for longer gives way. So it is
 * bounded, makes no garbage, and forgets what nobody says any more.
 */
export class Vocabulary {
  readonly #mask: number;
  readonly #terms: Int32Array;
  readonly #lastUse: Int32Array;

  /** `capacity` is a power of two. */
  constructor(capacity: number) {
    this.#mask = capacity - 2;
    this.#terms = new Int32Array(capacity);
    this.#lastUse = new Int32Array(capacity);
  }

  /** Notes a use of `term` at `turn` (from 1) and gives the turn of its last use, or 0 if it has none. */
  use(term: number, turn: number): number {
    const key = term === EMPTY ? 1 : term;
    let at = (Math.imul(key, SPREAD) >>> 12) & this.#mask;
    if (this.#terms[at] !== key) {
      if (this.#terms[at + 1] === key) {
        at++;
      } else {
        if ((this.#lastUse[at + 1] as number) < (this.#lastUse[at] as number)) at++;
        this.#terms[at] = key;
        this.#lastUse[at] = turn;
        return 0;
      }
    }
    const before = this.#lastUse[at] as number;
    this.#lastUse[at] = turn;
    return before;
  }

  clear(): void {
    this.#terms.fill(EMPTY);
    this.#lastUse.fill(0);
  }

  /** Slot, term and turn, one after the other; empty slots left out. */
  snapshot(): number[] {
    const flat: number[] = [];
    for (let at = 0; at < this.#terms.length; at++) {
      const term = this.#terms[at] as number;
      if (term !== EMPTY) flat.push(at, term, this.#lastUse[at] as number);
    }
    return flat;
  }

  /** @throws {@link InvalidSnapshotError} */
  restore(path: string, snapshot: unknown): void {
    const flat = restoredNumbers(path, snapshot);
    this.clear();
    for (let i = 0; i + 2 < flat.length; i += 3) {
      const at = flat[i] as number;
      if (this.#terms[at] === undefined) throw new InvalidSnapshotError(path, 'known slots', at);
      this.#terms[at] = flat[i + 1] as number;
      this.#lastUse[at] = flat[i + 2] as number;
    }
  }
}
