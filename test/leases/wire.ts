import type { BudgetTotals, ReservationResult } from '../../packages/core/src/kit.ts';
import type {
  Booking,
  BudgetServer,
  LeaseAnswer,
  LeaseRequest,
} from '../../packages/stores/src/server/index.ts';
import type { SeededRandom } from '../../packages/testing/src/seeded-random.ts';
import type { ServerBooks } from '../servers/server-books.ts';
import type { Machine } from './machine.ts';
import type { World } from './world.ts';

/** How a network treats what is sent over it: one in so many messages is lost, comes twice, or very late. */
export interface Weather {
  readonly lost: number;
  readonly twice: number;
  readonly late: number;
}

export const FAIR: Weather = { lost: 0, twice: 0, late: 0 };

const LATE_MS = 90_000;

/** The way of one process to the server. */
export class Wire implements BudgetServer {
  weather: Weather;
  /** The ids of its leases. */
  readonly leases: Set<string> = new Set();
  /** The ids of calls that the server was asked for. */
  readonly calls: Set<string> = new Set();
  readonly #world: World;
  readonly #machine: Machine;
  readonly #books: ServerBooks;
  readonly #random: SeededRandom;
  readonly #onSent: () => void;

  constructor(
    world: World,
    machine: Machine,
    books: ServerBooks,
    random: SeededRandom,
    weather: Weather = FAIR,
    onSent: () => void = () => {},
  ) {
    this.#onSent = onSent;
    this.#world = world;
    this.#machine = machine;
    this.#books = books;
    this.#random = random;
    this.weather = weather;
  }

  reserve(...call: Parameters<BudgetServer['reserve']>): Promise<ReservationResult> {
    this.calls.add(call[0]);
    return this.#send(() => this.#books.reserve(...call));
  }

  settle(booking: Booking): Promise<BudgetTotals> {
    return this.#send(() => this.#books.settle(booking));
  }

  totals(purses: readonly string[]): Promise<BudgetTotals> {
    return this.#send(() => this.#books.totals(purses));
  }

  keep(ids: readonly string[]): Promise<readonly string[]> {
    return this.#send(() => this.#books.keep(ids));
  }

  lease(request: LeaseRequest): Promise<LeaseAnswer> {
    this.leases.add(request.id);
    return this.#send(() => this.#books.lease(request));
  }

  #send<T>(work: () => T): Promise<T> {
    this.#onSent();
    return new Promise((resolve) => {
      const arrive = (): void => {
        const answer = work();
        if (!this.#happens(this.weather.lost))
          this.#machine.after(this.#ms(), () => resolve(answer));
      };
      if (!this.#happens(this.weather.lost)) this.#world.after(this.#ms(), arrive);
      if (this.#happens(this.weather.twice)) {
        this.#world.after(this.#random.below(LATE_MS), () => void work());
      }
    });
  }

  #ms(): number {
    const isLate = this.#happens(this.weather.late);
    return 0.2 + this.#random.below(1000) / 1000 + (isLate ? this.#random.below(LATE_MS) : 0);
  }

  #happens(once: number): boolean {
    return once > 0 && this.#random.oneIn(once);
  }
}
