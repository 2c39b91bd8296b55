import type { BudgetTotals, ReservationResult } from '@teamfuse/core/kit';
import { ServerBooks } from '../../../../test/servers/server-books.ts';
import type { Booking, BudgetServer, LeaseAnswer, LeaseRequest } from '../../src/server/index.ts';

/** What becomes of a question: it is answered, done without an answer, refused, or neither done nor answered. */
export type Condition = 'up' | 'answers-lost' | 'down' | 'silent';

/** A server with books in memory, and a line to it that fails as told. */
export class LossyServer implements BudgetServer {
  readonly books: ServerBooks;
  condition: Condition = 'up';
  /** So many questions fail as told; then the line is up again. */
  failures: number = Number.POSITIVE_INFINITY;
  asked = 0;

  constructor(now: () => number) {
    this.books = new ServerBooks(now);
  }

  reserve(...call: Parameters<BudgetServer['reserve']>): Promise<ReservationResult> {
    return this.#answer(() => this.books.reserve(...call));
  }

  settle(booking: Booking): Promise<BudgetTotals> {
    return this.#answer(() => this.books.settle(booking));
  }

  totals(purses: readonly string[]): Promise<BudgetTotals> {
    return this.#answer(() => this.books.totals(purses));
  }

  keep(ids: readonly string[]): Promise<readonly string[]> {
    return this.#answer(() => this.books.keep(ids));
  }

  lease(request: LeaseRequest): Promise<LeaseAnswer> {
    return this.#answer(() => this.books.lease(request));
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
