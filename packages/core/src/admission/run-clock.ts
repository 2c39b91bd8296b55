import type { Trip } from '../circuit/trip.ts';
import type { Timers } from '../common/deadline.ts';
import { ExpiryTimer, MAX_TIMEOUT_MS } from '../common/expiry-timer.ts';
import type { Finding } from '../detection/finding.ts';
import type { LimitDetector } from '../detection/limits/limit-detector.ts';

/** Ends the time of a run while something is waited for. */
export class RunClock {
  readonly #limits: LimitDetector;
  readonly #react: (finding: Finding, at: number) => Trip | undefined;
  readonly #timer: ExpiryTimer;
  #waits = 0;

  /** `react` is called with the finding once the time is over. */
  constructor(
    limits: LimitDetector,
    react: (finding: Finding, at: number) => Trip | undefined,
    timers: Timers | undefined,
  ) {
    this.#limits = limits;
    this.#react = react;
    this.#timer = new ExpiryTimer(timers);
  }

  /** Trips if the time is over at `at`. */
  check(at: number): Trip | undefined {
    const finding = this.#limits.overtime(at);
    return finding && this.#react(finding, at);
  }

  /** Watches the time while `work`, begun at `at`, is under way. A run that has not started yet starts with it. */
  during<T>(work: Promise<T>, at: number): Promise<T> {
    if (!this.#limits.isTimed) return work;
    this.#limits.start(at);
    this.#waits++;
    this.#watch(at);
    return work.finally(() => {
      if (--this.#waits === 0) this.#timer.clear();
    });
  }

  #watch(at: number): void {
    const remainingMs = this.#limits.remainingMs(at);
    if (remainingMs === undefined) return;
    const ms = Math.min(Math.max(remainingMs, 1), MAX_TIMEOUT_MS);
    this.#timer.set(() => this.#ring(at + ms), ms);
    this.#timer.keepAlive();
  }

  #ring(at: number): void {
    // A person may have been waited for meanwhile, which does not count.
    if (this.#limits.overtime(at) === undefined) this.#watch(at);
    else this.check(at);
  }
}
