import type { BudgetStore } from '../../packages/core/src/index.ts';
import type { Amount, BudgetTotals } from '../../packages/core/src/kit.ts';
import type { ServerBudgetStore } from '../../packages/stores/src/server/index.ts';
import type { Fleet } from './fleet.ts';

type Sums = Map<string, number>;

/** What one process was served, and which of it has to be in the books even if it dies now. Stands between its breaker and its store. */
export class Receipts implements BudgetStore {
  readonly reserve: BudgetStore['reserve'];
  readonly totals: BudgetStore['totals'];
  /** The tokens that were served, by purse. */
  readonly served: Sums = new Map();
  /** Those that are booked, or written down. */
  readonly certain: Sums = new Map();
  /** Those that are on their way to the server. */
  sending = 0;
  /** What was known to be spent by all, now and when the server lost its books. */
  known = 0;
  knownAtLoss = 0;
  /** What was on its way to the server whenever it lost its books: it may be booked twice. */
  sentAtLoss = 0;
  readonly #fleet: Fleet;
  readonly #store: ServerBudgetStore;
  readonly #told: readonly string[];
  readonly #fillsBefore: number;
  #unsure: (readonly [string, number])[] = [];

  constructor(fleet: Fleet, store: ServerBudgetStore, told: readonly string[]) {
    this.#fleet = fleet;
    this.#store = store;
    this.#told = told;
    this.#fillsBefore = fleet.isFull ? fleet.fills - 1 : fleet.fills;
    this.reserve = store.reserve.bind(store);
    this.totals = store.totals.bind(store);
  }

  serve(purse: string, tokens: number): void {
    add(this.served, purse, tokens);
  }

  agree(options: Readonly<Record<string, string>>): void {
    this.#store.agree(options);
  }

  async settle(
    id: string | undefined,
    actual: Amount,
    purses: readonly string[] = [],
  ): Promise<BudgetTotals> {
    const { tokens } = actual;
    this.sending += tokens;
    try {
      const totals = await this.#store.settle(id, actual, purses);
      for (const purse of purses) this.#unsure.push([purse, tokens]);
      this.#settled(totals);
      return totals;
    } finally {
      this.sending -= tokens;
    }
  }

  /** The server loses its books. */
  atLoss(): void {
    this.knownAtLoss = this.known;
    this.sentAtLoss += this.sending;
  }

  #settled({ spent }: BudgetTotals): void {
    const { unsettled } = this.#store;
    const { fills, isFull, disk, world } = this.#fleet;
    const isWritten = disk !== undefined && fills === this.#fillsBefore;
    if (unsettled === 0) this.known = Math.max(this.known, spent.tokens);
    if (unsettled === 0 || isWritten) {
      for (const [purse, tokens] of this.#unsure) add(this.certain, purse, tokens);
      this.#unsure = [];
    }
    if (isFull && unsettled > 0 && !this.#told.includes('UNWRITTEN_JOURNAL')) {
      world.violate('what is lost is told, once', 'the full disk of a journal');
    }
  }
}

function add(sums: Sums, name: string, more: number): void {
  sums.set(name, (sums.get(name) ?? 0) + more);
}
