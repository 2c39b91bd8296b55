import { MemoryBudgetStore } from '@teamfuse/core';
import type { BudgetTotals, ReservationResult } from '@teamfuse/core/kit';
import type { Booking, BudgetServer } from '../../src/server/server-budget-store.ts';

/** What becomes of a question: it is answered, done without an answer, refused, or neither done nor answered. */
export type Condition = 'up' | 'answers-lost' | 'down' | 'silent';

/** A server with books in memory, and a line to it that fails as told. */
export class LossyServer implements BudgetServer {
  readonly books: MemoryBudgetStore;
  condition: Condition = 'up';
  /** So many questions fail as told; then the line is up again. */
  failures: number = Number.POSITIVE_INFINITY;
  asked = 0;
  readonly #held: Map<string, Parameters<BudgetServer['reserve']>> = new Map();

  constructor(now: () => number) {
    this.books = new MemoryBudgetStore(undefined, { now, reservationMs: 60_000 });
  }

  reserve(...call: Parameters<BudgetServer['reserve']>): Promise<ReservationResult> {
    return this.#answer(() => {
      const result = this.books.reserve(...call);
      if (result.isGranted) this.#held.set(call[0], call);
      return result;
    });
  }

  settle({ id, actual, purses }: Booking): Promise<BudgetTotals> {
    return this.#answer(() => {
      this.#held.delete(id);
      return this.books.settle(id, actual, purses);
    });
  }

  totals(purses: readonly string[]): Promise<BudgetTotals> {
    return this.#answer(() => this.books.totals(purses));
  }

  keep(ids: readonly string[]): Promise<readonly string[]> {
    return this.#answer(() => {
      for (const id of ids) {
        const call = this.#held.get(id);
        if (call !== undefined) this.books.reserve(call[0], call[1], {}, call[3]);
      }
      return ids.filter((id) => !this.#held.has(id));
    });
  }

  #answer<T>(work: () => T): Promise<T> {
    this.asked++;
    const condition = this.failures > 0 ? this.condition : 'up';
    this.failures--;
    if (condition === 'down') return Promise.reject(new Error('connection refused'));
    if (condition === 'silent') return new Promise(() => {});
    const answer = work();
    if (condition === 'up') return Promise.resolve(answer);
    return Promise.reject(new Error('connection reset'));
  }
}
