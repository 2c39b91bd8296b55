import { InvalidSnapshotError } from '../errors.ts';
import { restoredNumbers } from './restored.ts';

/** Several times what a horizon of turns can bring, so that what is still remembered hardly ever gives way. */
const SLOTS = 2048;
const EMPTY = 0;

/** Counts how often each of the latest fingerprints was seen, without garbage. */
export class Occurrences {
  readonly #horizonTurns: number;
  readonly #keys: Float64Array = new Float64Array(SLOTS);
  readonly #lastTurn: Int32Array = new Int32Array(SLOTS);
  readonly #counts: Int32Array = new Int32Array(SLOTS);

  /** What was last seen more than `horizonTurns` ago is forgotten: repeats that far apart are legitimate. */
  constructor(horizonTurns: number) {
    this.#horizonTurns = horizonTurns;
  }

  /** Notes that `key` is seen at `turn` (from 1) and gives how often it was before. */
  see(key: number, turn: number): number {
    let at = ((key | 0) & (SLOTS / 2 - 1)) * 2;
    if (this.#keys[at] !== key) {
      const isOther = this.#keys[at + 1] === key;
      if (isOther || (this.#lastTurn[at + 1] as number) < (this.#lastTurn[at] as number)) at++;
    }
    const isKnown =
      this.#keys[at] === key && turn - (this.#lastTurn[at] as number) <= this.#horizonTurns;
    const before = isKnown ? (this.#counts[at] as number) : 0;
    this.#keys[at] = key;
    this.#lastTurn[at] = turn;
    this.#counts[at] = before + 1;
    return before;
  }

  clear(): void {
    this.#keys.fill(EMPTY);
    this.#lastTurn.fill(0);
    this.#counts.fill(0);
  }

  /** Slot, fingerprint, turn and count, one after the other; empty slots left out. */
  snapshot(): number[] {
    const flat: number[] = [];
    for (let at = 0; at < SLOTS; at++) {
      const key = this.#keys[at] as number;
      if (key === EMPTY) continue;
      flat.push(at, key, this.#lastTurn[at] as number, this.#counts[at] as number);
    }
    return flat;
  }

  /** @throws {@link InvalidSnapshotError} */
  restore(path: string, snapshot: unknown): void {
    const flat = restoredNumbers(path, snapshot);
    this.clear();
    for (let i = 0; i + 3 < flat.length; i += 4) {
      const at = flat[i] as number;
      if (this.#keys[at] === undefined) throw new InvalidSnapshotError(path, 'known slots', at);
      this.#keys[at] = flat[i + 1] as number;
      this.#lastTurn[at] = flat[i + 2] as number;
      this.#counts[at] = flat[i + 3] as number;
    }
  }
}
