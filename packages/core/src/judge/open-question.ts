import type { Timers } from '../common/deadline.ts';
import { ExpiryTimer } from '../common/expiry-timer.ts';

/** A question that waits for its answer. */
export class OpenQuestion {
  /** The latest signal when it was asked. */
  readonly index: number;
  readonly #deadline: ExpiryTimer;
  readonly #ended: Promise<void>;
  #end = (): void => {};

  /** `late` is called unless it ends within `ms` milliseconds. */
  constructor(index: number, ms: number, late: (question: OpenQuestion) => void, timers?: Timers) {
    this.index = index;
    this.#ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.#deadline = new ExpiryTimer(timers);
    this.#deadline.set(() => late(this), ms);
  }

  /** Resolves when it has ended. The process lives as long as somebody waits for it. */
  ended(): Promise<void> {
    this.#deadline.keepAlive();
    return this.#ended;
  }

  end(): void {
    this.#deadline.clear();
    this.#end();
  }
}
