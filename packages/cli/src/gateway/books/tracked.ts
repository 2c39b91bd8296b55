import type { BudgetStore } from '@teamfuse/core';

/** A store of which can be told when all that was spent is booked. */
export class Tracked implements BudgetStore {
  readonly #store: BudgetStore;
  readonly #pending: Set<unknown> = new Set();
  readonly reserve: BudgetStore['reserve'];
  readonly totals: BudgetStore['totals'];

  constructor(store: BudgetStore) {
    this.#store = store;
    this.reserve = store.reserve.bind(store);
    this.totals = store.totals.bind(store);
  }

  settle(...booking: Parameters<BudgetStore['settle']>): ReturnType<BudgetStore['settle']> {
    const answer = this.#store.settle(...booking);
    const end = (): void => {
      this.#pending.delete(answer);
    };
    this.#pending.add(answer);
    Promise.resolve(answer).then(end, end);
    return answer;
  }

  agree(...options: Parameters<NonNullable<BudgetStore['agree']>>): void {
    this.#store.agree?.(...options);
  }

  /** Waits for the settlements that are under way. */
  async ended(): Promise<void> {
    while (this.#pending.size > 0) await Promise.allSettled(this.#pending);
  }
}
