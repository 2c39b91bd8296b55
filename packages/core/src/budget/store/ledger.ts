import type { Timers } from '../../deadline.ts';
import { andThen, asking, type MaybePromise } from '../../maybe-promise.ts';
import { type Amount, add, NOTHING, toNanoUsd } from '../amount.ts';
import type { Books } from '../budget-findings.ts';
import type { BudgetOptions } from '../budget-options.ts';
import type { Purses } from '../purses.ts';
import type {
  BudgetLimits,
  BudgetStore,
  BudgetTotals,
  Purse,
  PurseTotals,
} from './budget-store.ts';
import { CheckedBudgetStore } from './checked-budget-store.ts';
import { MemoryBudgetStore } from './memory-budget-store.ts';
import type { Owed } from './unsettled-store.ts';

/** The books of the whole budget, and those of the smaller purses that were asked for. */
export type AllBooks = readonly [Books, ...Books[]];

/** What a {@link Ledger} works with. @internal */
export interface LedgerParts {
  readonly purses: Purses;
  readonly reservationMs: number;
  readonly storeTimeoutMs: number;
  readonly now: () => number;
  readonly timers: Timers | undefined;
  /** What the store holds under an id, as far as is known. */
  readonly heldUnder: (id: string) => Amount;
}

/** The store of a budget, in memory or the user's own, with each purse beside what it has on its books. @internal */
export class Ledger {
  /** The store in memory, unless the user gave one. */
  readonly memory: MemoryBudgetStore | undefined;
  readonly #checked: CheckedBudgetStore | undefined;
  readonly #store: BudgetStore;
  readonly #purses: Purses;

  /** @throws {@link InvalidOptionError} when the user's store is none. */
  constructor({ spentUsd = 0, windowMs, store }: BudgetOptions, parts: LedgerParts) {
    const { purses, reservationMs, storeTimeoutMs: timeoutMs, now, timers, heldUnder } = parts;
    this.#purses = purses;
    if (store === undefined) {
      const spent = { nanoUsd: toNanoUsd(spentUsd), tokens: 0 };
      this.memory = new MemoryBudgetStore(spent, { windowMs, reservationMs, now });
      this.#store = this.memory;
    } else {
      this.#checked = new CheckedBudgetStore(store, { timeoutMs, timers, heldUnder });
      this.#store = this.#checked;
    }
  }

  /** Reserves an amount in the whole budget and these purses, or in none of them. */
  reserve(
    id: string,
    amount: Amount,
    limits: BudgetLimits,
    purses: readonly Purse[],
  ): MaybePromise<{ readonly isGranted: boolean; readonly books: AllBooks }> {
    return andThen(
      asking(() => this.#store.reserve(id, amount, limits, purses)),
      ({ isGranted, totals }) => ({ isGranted, books: this.#booksOf(totals, purses) }),
    );
  }

  /** Books spend, and lets go of what is held under an id. */
  settle(id: string | null, actual: Amount, purses: readonly Purse[]): MaybePromise<AllBooks> {
    return andThen(
      asking(() => this.#store.settle(id ?? undefined, actual, namesOf(purses))),
      (totals) => this.#booksOf(totals, purses),
    );
  }

  /** The books as they stand. */
  look(purses: readonly Purse[]): MaybePromise<AllBooks> {
    return andThen(
      asking(() => this.#store.totals(namesOf(purses))),
      (totals) => this.#booksOf(totals, purses),
    );
  }

  /** What the user's store has failed to book. */
  get owed(): readonly Owed[] {
    return this.#checked?.unsettled ?? [];
  }

  set owed(bookings: readonly Owed[]) {
    if (this.#checked !== undefined) this.#checked.unsettled = bookings;
  }

  /** {@link CheckedBudgetStore} lets no answer pass that lacks a purse. */
  #booksOf(totals: BudgetTotals, purses: readonly Purse[]): AllBooks {
    const { purses: kept = [] } = totals;
    const smaller = purses.map((purse, i) => ({
      purse,
      totals: this.#withOwed(kept[i] as PurseTotals, purse.name),
    }));
    return [{ purse: this.#purses.whole, totals: this.#withOwed(totals) }, ...smaller];
  }

  #withOwed({ spent, reserved }: PurseTotals, purse?: string): PurseTotals {
    return { spent: add(spent, this.#checked?.owed(purse) ?? NOTHING), reserved };
  }
}

function namesOf(purses: readonly Purse[]): readonly string[] {
  return purses.map(({ name }) => name);
}
