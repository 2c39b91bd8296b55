import type { Timers } from '@teamfuse/core/kit';
import { UnreachableServerError } from '../errors.ts';

/** Options of a {@link Line}. */
export interface LineOptions {
  readonly timeoutMs: number;
  readonly attempts: number;
  readonly timers: Timers;
  /** Called a while after the server was lost, to find out whether it is back. */
  readonly onRetry: () => void;
}

/** The timers of the machine. They keep no process alive. */
export const MACHINE_TIMERS: Timers = {
  set: (ring, ms) => setTimeout(ring, ms).unref(),
  clear: (timer) => clearTimeout(timer as NodeJS.Timeout),
};

/** After a failure nothing is sent for so long. */
const PAUSE_MS = 250;

/**
 * Asks a server and waits for a while only. After a failure it sends next to nothing until an answer comes, so that no commands
 * pile up in a client that keeps them for later.
 */
export class Line {
  readonly #options: LineOptions;
  #state: 'up' | 'paused' | 'trying' = 'up';
  #timer: unknown;
  #cause: unknown;

  constructor(options: LineOptions) {
    this.#options = options;
  }

  get isUp(): boolean {
    return this.#state === 'up';
  }

  /** @throws {@link UnreachableServerError} */
  async ask<T>(command: () => Promise<T>): Promise<T> {
    if (this.#state === 'paused') throw new UnreachableServerError(this.#cause);
    const attempts = this.#state === 'up' ? this.#options.attempts : 1;
    if (this.#state === 'trying') this.#state = 'paused';
    for (let attempt = 1; ; attempt++) {
      try {
        const answer = await this.#once(command);
        this.#rise();
        return answer;
      } catch (error) {
        if (attempt < attempts) continue;
        this.#pause(error);
        throw new UnreachableServerError(error);
      }
    }
  }

  /** Ends the timer. */
  close(): void {
    this.#options.timers.clear(this.#timer);
    this.#timer = undefined;
  }

  #rise(): void {
    this.close();
    this.#state = 'up';
  }

  #pause(cause: unknown): void {
    this.#cause = cause;
    this.#state = 'paused';
    this.close();
    this.#timer = this.#options.timers.set(() => {
      this.#state = 'trying';
      this.#options.onRetry();
    }, PAUSE_MS);
  }

  #once<T>(command: () => Promise<T>): Promise<T> {
    const { timeoutMs, timers } = this.#options;
    return new Promise((resolve, reject) => {
      const late = (): void => reject(new Error(`no answer within ${timeoutMs} ms`));
      // A process that stood still first reads what has come meanwhile.
      const timer = timers.set(() => setImmediate(late), timeoutMs);
      const done = (): void => timers.clear(timer);
      Promise.resolve(command()).finally(done).then(resolve, reject);
    });
  }
}
