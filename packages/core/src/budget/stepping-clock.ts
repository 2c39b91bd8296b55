/** Something with a time, in milliseconds. */
export interface Stamped {
  readonly at: number;
}

/** A reading of a {@link SteppingClock}. */
export interface Moment extends Stamped {
  /** Milliseconds that have passed, of which each reading adds only so many. */
  readonly passed: number;
}

/**
 * Follows a clock that may jump. Time passes as the clock says; when it steps back, it had been ahead.
 * @internal
 */
export class SteppingClock implements Moment {
  readonly #longestMs: number;
  at: number = Number.NEGATIVE_INFINITY;
  passed = 0;

  constructor(longestMs: number = Number.POSITIVE_INFINITY) {
    this.#longestMs = longestMs;
  }

  /** Takes a reading. Returns by how much the clock has stepped back since the last one. */
  read(now: number): number {
    const ms = now - this.at;
    this.at = now;
    this.passed += Math.min(Math.max(0, ms), this.#longestMs);
    return Math.max(0, -ms);
  }
}

/** The same, the oldest first, after a step back to `now`: what lies ahead of it keeps its age. @internal */
export function steppedBack<T extends Stamped>(
  stamped: Iterable<T>,
  now: number,
  back: number,
): T[] {
  return Array.from(stamped, (one) => (one.at > now ? { ...one, at: one.at - back } : one)).sort(
    (a, b) => a.at - b.at,
  );
}
