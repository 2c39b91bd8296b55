import type { Timers } from '../common/deadline.ts';
import { andThen, type MaybePromise, orRejection } from '../common/maybe-promise.ts';
import type { Evidence, Finding } from '../detection/finding.ts';
import { type Amount, toNanoUsd } from './amount.ts';
import { type AllBooks, booksOf } from './budget-findings.ts';
import type { CheckedBudget } from './budget-options.ts';
import { Calendar } from './calendar.ts';
import { dateOf, periodIn } from './periods.ts';
import { Purses, WHOLE } from './purses.ts';
import type { BudgetStore, Purse } from './store/budget-store.ts';
import { CheckedStore } from './store/checked-store.ts';
import { MemoryBudgetStore } from './store/memory-budget-store.ts';
import type { UnsettledBooking } from './store/unsettled.ts';

/** What a {@link Ledger} works with. */
interface LedgerParts {
  readonly now: () => number;
  readonly timers: Timers | undefined;
  /** The reservation of an id. */
  readonly amountUnder: (id: string) => Amount;
}

/** The purses of a budget, and the store that keeps their books. */
export class Ledger {
  readonly purses: Purses;
  readonly store: BudgetStore;
  /** How much later a reservation may expire in the store than here. */
  readonly storeLagMs: number;
  /** The store in memory, unless there is a custom one. */
  readonly memory: MemoryBudgetStore | undefined;
  readonly #checked: CheckedStore | undefined;
  readonly #windowMs: number | undefined;
  readonly #now: () => number;
  readonly #timeZone: string;
  #calendar: Calendar | undefined;

  /** @throws {@link InvalidOptionError} */
  constructor(options: CheckedBudget, { now, timers, amountUnder }: LedgerParts) {
    const { spentUsd, windowMs, reservationMs, store, storeTimeoutMs: timeoutMs } = options;
    if (store === undefined) {
      const spent = { nanoUsd: toNanoUsd(spentUsd), tokens: 0 };
      const isKept = (purse: string): boolean => this.purses.isDeclared(purse, this.today);
      this.memory = new MemoryBudgetStore(spent, { windowMs, reservationMs, now, isKept });
      this.store = this.memory;
    } else {
      this.#checked = new CheckedStore(store, { timeoutMs, timers, amountUnder });
      this.store = this.#checked;
    }
    this.storeLagMs = store === undefined ? 1 : timeoutMs;
    this.purses = new Purses(options);
    this.#windowMs = windowMs;
    this.#now = now;
    this.#timeZone = options.timeZone;
    const zone = this.purses.hasPeriods && { timeZone: this.#timeZone };
    this.#checked?.agree({ cacheReads: options.cacheReads, ...this.purses.periodOptions, ...zone });
  }

  /** What a custom store failed to book. */
  get unsettled(): readonly UnsettledBooking[] {
    return this.#checked?.unsettled.bookings ?? [];
  }

  set unsettled(bookings: readonly UnsettledBooking[]) {
    if (this.#checked !== undefined) this.#checked.unsettled.bookings = bookings;
  }

  /** Today, if any purse depends on it. */
  get today(): string {
    if (!this.purses.hasPeriods) return '';
    return this.#calendarOf().dayAt(this.#now());
  }

  /** The books of these purses and of the whole budget. */
  readBooks(purses: readonly Purse[]): MaybePromise<AllBooks> {
    return andThen(
      orRejection(() => this.store.totals(purses.map(({ name }) => name))),
      (totals) => booksOf(totals, this.purses.whole, purses),
    );
  }

  /** Books what was spent, and ends the reservation of this id. */
  book(id: string | undefined, actual: Amount, purses: readonly Purse[]): MaybePromise<AllBooks> {
    const names = purses.map(({ name }) => name);
    return andThen(
      orRejection(() => this.store.settle(id, actual, names)),
      (totals) => booksOf(totals, this.purses.whole, purses),
    );
  }

  /** When a full purse will have room again, by its window at the latest; `undefined` if waiting does not help. */
  roomAt(evidence: Evidence): number | undefined {
    const { purse = WHOLE, subject, count, limit } = evidence;
    const now = this.#now();
    const { period } = periodIn(purse);
    if (this.isOver(evidence)) return now;
    if (period !== undefined) return this.#calendarOf().endOf(period, now);
    if (this.#windowMs === undefined) return undefined;
    const unit = subject === 'tokens' ? 'tokens' : 'nanoUsd';
    return this.memory?.roomAt(purse, unit, count - limit) ?? now + this.#windowMs;
  }

  /** Whether the day or the month of a purse is over. */
  isOver({ purse = WHOLE }: Evidence): boolean {
    const { period, date } = periodIn(purse);
    return period !== undefined && date !== dateOf(period, this.today);
  }

  /** With a rolling window, or in a purse of a day or a month, waiting makes room again. */
  markPassing(found: Finding): Finding {
    const isPassing =
      this.#windowMs !== undefined || periodIn(found.evidence.purse ?? '').date !== undefined;
    return isPassing ? { ...found, isPassing } : found;
  }

  #calendarOf(): Calendar {
    this.#calendar ??= new Calendar(this.#timeZone);
    return this.#calendar;
  }
}
