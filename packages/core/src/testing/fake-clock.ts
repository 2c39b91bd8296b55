/**
 * A clock that stands still until it is told to move.
 *
 * @example
 * ```ts
 * const clock = new FakeClock();
 * const breaker = new Breaker({ now: clock.now });
 * clock.advance(60_000);
 * breaker.now(); // => 60000
 * ```
 */
export class FakeClock {
  #at: number;

  /** `at` is where it starts, in milliseconds. */
  constructor(at = 0) {
    this.#at = at;
  }

  /** The time, in milliseconds. Bound, so that it can be handed on by itself. */
  readonly now = (): number => this.#at;

  /** Lets `ms` milliseconds pass; negative ones turn it back, as a corrected system clock would. */
  advance(ms: number): void {
    this.#at += ms;
  }
}
