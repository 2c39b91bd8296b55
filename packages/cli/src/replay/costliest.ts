import type { Replayed } from './replay.ts';
import { bySpend } from './spend.ts';

/** Conversations that are shown in detail. */
export const MAX_DETAILS = 20;

/** Keeps the conversations whose trips cost most, and then those that cost most; of equal ones the earlier. */
export class Costliest {
  readonly #max: number;
  readonly #all: Replayed[] = [];

  constructor(max: number) {
    this.#max = max;
  }

  get all(): readonly Replayed[] {
    return this.#all;
  }

  /** Whether a conversation would be among them. */
  wants(replayed: Replayed): boolean {
    const last = this.#all.at(-1);
    return this.#all.length < this.#max || (last !== undefined && byCost(last, replayed) > 0);
  }

  add(replayed: Replayed): void {
    let place = this.#all.length;
    for (; place > 0; place--) {
      const before = this.#all[place - 1];
      if (before !== undefined && byCost(before, replayed) <= 0) break;
    }
    this.#all.splice(place, 0, replayed);
    if (this.#all.length > this.#max) this.#all.pop();
  }
}

function byCost(a: Replayed, b: Replayed): number {
  return b.trips.length - a.trips.length || bySpend(a.saved, b.saved) || bySpend(a.spent, b.spent);
}
