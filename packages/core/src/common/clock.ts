import type { Timers } from './deadline.ts';

/** The default clock, in milliseconds. */
export const machineNow = (): number => Date.now();

/** The default timers. */
export const MACHINE_TIMERS: Timers = {
  set: setTimeout,
  clear: clearTimeout as (timer: unknown) => void,
};

/** A globally unique id. It only identifies a breaker, so that detection stays deterministic. */
export const uniqueId = (): string => crypto.randomUUID();

/** A whole number that no other process or conversation comes to by itself. */
export const uniqueNumber = (): number => Number.parseInt(uniqueId().slice(-12), 16);

/** A clock that never steps back. When `now` does, it had been ahead: time goes on from there, so that nothing lasts longer. */
export function steady(now: () => number): () => number {
  let latest = Number.NEGATIVE_INFINITY;
  let ahead = 0;
  return () => {
    const read = now();
    ahead = Math.max(ahead, latest - read);
    latest = read + ahead;
    return latest;
  };
}

/** Something with a time, in milliseconds. */
export interface Stamped {
  readonly at: number;
}

/** A reading of a {@link SteppingClock}. */
export interface Moment extends Stamped {
  /** Milliseconds that have passed so far, at least: in steps that are too short for a leap of the clock. */
  readonly steady: number;
  /** The same, plus the longest of these steps for each one that is longer. */
  readonly passed: number;
}

/** Follows a clock that may jump. Time passes as the clock says; when it steps back, it had been ahead. */
export class SteppingClock implements Moment {
  readonly #longestMs: number;
  at: number = Number.NEGATIVE_INFINITY;
  steady = 0;
  passed = 0;

  /** Longer steps may be leaps. */
  constructor(longestMs: number = Number.POSITIVE_INFINITY) {
    this.#longestMs = longestMs;
  }

  /** Takes a reading. Returns by how much the clock has stepped back since the last one. */
  read(now: number): number {
    const ms = now - this.at;
    this.at = now;
    if (ms > this.#longestMs) this.passed += this.#longestMs;
    else if (ms > 0) {
      this.passed += ms;
      this.steady += ms;
    }
    return Math.max(0, -ms);
  }
}

/** The same, the oldest first, after a step back to `now`: what lies ahead of it keeps its age. */
export function steppedBack<T extends Stamped>(
  stamped: Iterable<T>,
  now: number,
  back: number,
): T[] {
  return Array.from(stamped, (one) => (one.at > now ? { ...one, at: one.at - back } : one)).sort(
    (a, b) => a.at - b.at,
  );
}
