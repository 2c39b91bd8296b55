import { MACHINE_TIMERS } from './clock.ts';
import type { Timers } from './deadline.ts';

/** The longest delay of a timer. */
export const MAX_TIMEOUT_MS: number = 2 ** 31 - 1;

/** A timer that rings once, and does not keep the process alive unless somebody waits for it. */
export class ExpiryTimer {
  readonly #timers: Timers;
  #timer: unknown;

  constructor(timers: Timers = MACHINE_TIMERS) {
    this.#timers = timers;
  }

  get isSet(): boolean {
    return this.#timer !== undefined;
  }

  /** Rings after `ms` milliseconds. Does nothing if it is set already. */
  set(ring: () => void, ms: number): void {
    if (this.#timer !== undefined) return;
    const { set } = this.#timers;
    const rung = (): void => {
      this.#timer = undefined;
      ring();
    };
    this.#timer = set(rung, Math.min(Math.max(1, ms), MAX_TIMEOUT_MS));
    Object(this.#timer).unref?.();
  }

  /** Keeps the process alive until it rings or is cleared. */
  keepAlive(): void {
    Object(this.#timer).ref?.();
  }

  clear(): void {
    if (this.#timer === undefined) return;
    const { clear } = this.#timers;
    clear(this.#timer);
    this.#timer = undefined;
  }
}
