import type { Timers } from '../../src/kit.ts';

/** Timers that ring when they are told to. */
export class HandTimers implements Timers {
  readonly #waiting: Map<number, { readonly ring: () => void; readonly ms: number }> = new Map();
  #last = 0;

  readonly set = (ring: () => void, ms: number): unknown => {
    this.#waiting.set(++this.#last, { ring, ms });
    return this.#last;
  };

  readonly clear = (timer: unknown): void => void this.#waiting.delete(timer as number);

  /** The times that are waited for. */
  get waits(): number[] {
    return [...this.#waiting.values()].map(({ ms }) => ms);
  }

  /** Lets all rings come. */
  ring(): void {
    const due = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { ring } of due) ring();
  }
}
