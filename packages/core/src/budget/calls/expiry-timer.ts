import { MACHINE_TIMERS, type Timers } from '../../deadline.ts';

/** Timers hold no more. @internal */
export const MAX_TIMEOUT_MS: number = 2 ** 31 - 1;

/** One timer that rings once, and keeps no process alive. @internal */
export class ExpiryTimer {
  readonly #timers: Timers;
  #timer: unknown;

  constructor(timers: Timers = MACHINE_TIMERS) {
    this.#timers = timers;
  }

  /** Rings after `ms` milliseconds, unless it is set already. */
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

  clear(): void {
    if (this.#timer === undefined) return;
    const { clear } = this.#timers;
    clear(this.#timer);
    this.#timer = undefined;
  }
}
