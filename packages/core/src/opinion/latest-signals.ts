import type { Signal } from '../signal/signal.ts';
import { toJson } from '../to-json.ts';

const CAPACITY = 64;

/** The latest 64 signals as they were, for somebody who is to judge them. @internal */
export class LatestSignals {
  #ring: (Signal | undefined)[] = new Array(CAPACITY);
  #nextIndex = 0;

  remember(index: number, signal: Signal): void {
    this.#ring[index % CAPACITY] = signal;
    this.#nextIndex = index + 1;
  }

  /** Copies of those from `first` on, oldest first, as far as they are kept. */
  copySince(first: number): readonly Signal[] {
    const copies: Signal[] = [];
    for (let i = Math.max(first, this.#nextIndex - CAPACITY, 0); i < this.#nextIndex; i++) {
      const signal = this.#ring[i % CAPACITY];
      // Whatever a signal carries besides its own fields is left alone, and need not be JSON.
      if (signal !== undefined) copies.push(toJson(signal) as unknown as Signal);
    }
    return copies;
  }

  reset(): void {
    this.#ring = new Array(CAPACITY);
    this.#nextIndex = 0;
  }
}
