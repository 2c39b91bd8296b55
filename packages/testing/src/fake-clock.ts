import type { Timers } from '@teamfuse/core/kit';

/** A time that somebody waits for. */
interface Alarm {
  readonly at: number;
  readonly ring: () => void;
}

/**
 * A clock that stands still until it is told to move. Its timers ring as it moves.
 *
 * @example
 * ```ts
 * const clock = new FakeClock();
 * const breaker = new Breaker({ now: clock.now, timers: clock.timers });
 * clock.advance(60_000);
 * breaker.now(); // => 60000
 * ```
 */
export class FakeClock {
  #at: number;
  readonly #alarms: Set<Alarm> = new Set();

  /** `at` is where it starts, in milliseconds. */
  constructor(at = 0) {
    this.#at = at;
  }

  /** The time, in milliseconds. Bound, so that it can be handed on by itself. */
  readonly now = (): number => this.#at;

  /** Timers by this clock. */
  readonly timers: Timers = {
    set: (ring, ms) => {
      const alarm = { at: this.#at + ms, ring };
      this.#alarms.add(alarm);
      return alarm;
    },
    clear: (alarm) => {
      this.#alarms.delete(alarm as Alarm);
    },
  };

  /** The number of timers that are set. */
  get waiting(): number {
    return this.#alarms.size;
  }

  /** Lets `ms` milliseconds pass; negative ones turn it back, as a corrected system clock would. */
  advance(ms: number): void {
    const until = this.#at + ms;
    for (let next = this.#next(until); next !== undefined; next = this.#next(until)) {
      this.#alarms.delete(next);
      this.#at = next.at;
      next.ring();
    }
    this.#at = until;
  }

  #next(until: number): Alarm | undefined {
    const due = [...this.#alarms].filter(({ at }) => at <= until);
    return due.sort((one, other) => one.at - other.at)[0];
  }
}
