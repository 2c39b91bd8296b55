import { steppedBack } from '../../budget/stepping-clock.ts';

interface Held {
  readonly at: number;
  /** Gives the place back. */
  readonly end: () => void;
}

/** The places of calls that have begun. Like reservations they expire: a call whose end nobody tells keeps none for good. */
export class HeldPlaces {
  readonly #lastsMs: number;
  /** The oldest first. */
  #held: Map<() => void, Held> = new Map();

  constructor(lastsMs: number) {
    this.#lastsMs = lastsMs;
  }

  /** When the oldest one expires; never, if there is none. */
  get expiresAt(): number {
    for (const { at } of this.#held.values()) return at + this.#lastsMs;
    return Number.POSITIVE_INFINITY;
  }

  add(end: () => void, at: number): void {
    this.#held.set(end, { at, end });
  }

  remove(end: () => void): void {
    this.#held.delete(end);
  }

  /** Gives back those that have expired. */
  expire(now: number): void {
    for (const { at, end } of this.#held.values()) {
      if (at + this.#lastsMs > now) return;
      this.#held.delete(end);
      end();
    }
  }

  /** What lies ahead of a clock that has stepped back keeps its age. */
  stepBack(now: number, back: number): void {
    this.#held = new Map(steppedBack(this.#held.values(), now, back).map((one) => [one.end, one]));
  }
}
