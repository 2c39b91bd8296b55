import type { JsonValue } from '../common/json.ts';
import { count, list, record } from '../state/codec.ts';
import { COST, COST_FIELDS, type Cost, NO_COST, sum } from './cost.ts';

interface Entry extends Cost {
  readonly index: number;
}

const CAPACITY = 4096;
const HISTORY = record<{ readonly total: Cost; readonly entries: readonly Entry[] }>({
  total: COST,
  entries: list(record<Entry>({ index: count, ...COST_FIELDS }), 2 * CAPACITY),
});

/** Remembers the spend of the latest 4,096 calls, so that a trip can name the cost of its loop. */
export class SpendHistory {
  #entries: Entry[] = [];
  #total: Cost = NO_COST;

  get total(): Cost {
    return this.#total;
  }

  record(index: number, cost: Cost): void {
    this.#entries.push({ index, ...cost });
    this.#total = sum(this.#total, cost);
    // Dropping half at a time costs constant time per call.
    if (this.#entries.length > 2 * CAPACITY) this.#entries.splice(0, CAPACITY);
  }

  /** The remembered spend since the signal at `index`. */
  since(index: number): Cost {
    let cost = NO_COST;
    for (let i = this.#entries.length - 1; i >= 0; i--) {
      const entry = this.#entries[i] as Entry;
      if (entry.index < index) break;
      cost = sum(cost, entry);
    }
    return cost;
  }

  /** Forgets when it was spent, not how much. */
  forget(): void {
    this.#entries = [];
  }

  snapshot(): JsonValue {
    return HISTORY.write({ total: this.#total, entries: this.#entries });
  }

  /** @throws {@link InvalidSnapshotError} */
  restore(snapshot: JsonValue): void {
    const { total, entries } = HISTORY.read('spend', snapshot);
    this.#total = total;
    this.#entries = [...entries];
  }
}
