import { type BudgetStore, InvalidOptionError } from '@teamfuse/core';
import type {
  Amount,
  BudgetLimits,
  BudgetTotals,
  MaybePromise,
  Purse,
  PurseTotals,
  ReservationResult,
} from '@teamfuse/core/kit';
import { checkNames, type OptionNames } from '@teamfuse/core/options';
import { atLeast, path } from '../options.ts';
import { BudgetTables } from './budget-tables.ts';
import { SharedDatabase } from './database.ts';

/** Options of {@link SqliteBudgetStore}. */
export interface SqliteBudgetStoreOptions {
  /**
   * The name of the budget in the file.
   * @defaultValue 'main'
   */
  readonly budget?: string;
  /** Milliseconds after which spend is forgotten. @defaultValue never */
  readonly windowMs?: number;
  /**
   * Milliseconds after which an unsettled reservation is released, such as that of a call whose process died.
   * @defaultValue 3_600_000
   */
  readonly reservationMs?: number;
  /**
   * Milliseconds to wait for other processes that write. The event loop goes on meanwhile.
   * @defaultValue 5_000
   */
  readonly busyTimeoutMs?: number;
  /**
   * The clock, in milliseconds.
   * @defaultValue Date.now
   */
  readonly now?: () => number;
}

const NAMES: OptionNames<SqliteBudgetStoreOptions> = {
  budget: true,
  windowMs: true,
  reservationMs: true,
  busyTimeoutMs: true,
  now: true,
};

const WHOLE = '';
/** Purses of days and months keep what a window forgets. */
const OF_PERIOD = /^(?:day|month):/;

/**
 * Keeps spend in an SQLite file that any number of processes on one machine may share. It answers at once, or with a promise
 * while another process writes; {@link LockedFileError} if that takes longer than `busyTimeoutMs`.
 *
 * @example
 * ```ts
 * const store = new SqliteBudgetStore('budget.db');
 * const breaker = new Breaker({ budget: { maxUsd: 20, store } });
 * ```
 */
export class SqliteBudgetStore implements BudgetStore {
  readonly #windowMs: number | undefined;
  readonly #reservationMs: number;
  readonly #now: () => number;
  readonly #database: SharedDatabase;
  #tables: BudgetTables | undefined;

  /**
   * Opens the file, and creates it if there is none.
   *
   * @throws {@link UnsupportedNodeError} where Node has no SQLite.
   * @throws {@link InvalidOptionError} naming the option, the expected and the received value.
   */
  constructor(file: string, options: SqliteBudgetStoreOptions = {}) {
    checkNames('', options, NAMES);
    const { budget = 'main', windowMs, now = Date.now } = options;
    const { reservationMs = 3_600_000, busyTimeoutMs = 5_000 } = options;
    if (typeof budget !== 'string') throw new InvalidOptionError('budget', 'a name', budget);
    if (typeof now !== 'function') throw new InvalidOptionError('now', 'a function', now);
    if (windowMs !== undefined) atLeast('windowMs', windowMs, 1);
    this.#windowMs = windowMs;
    this.#reservationMs = atLeast('reservationMs', reservationMs, 1);
    this.#now = now;
    const waitMs = atLeast('busyTimeoutMs', busyTimeoutMs, 0);
    this.#database = new SharedDatabase(path(file), waitMs, (database) => {
      this.#tables = new BudgetTables(database, budget);
    });
  }

  reserve(
    id: string,
    amount: Amount,
    limits: BudgetLimits,
    purses: readonly Purse[] = [],
  ): MaybePromise<ReservationResult> {
    const all: readonly Purse[] = [{ ...limits, name: WHOLE }, ...purses];
    return this.#step((tables) => {
      const isGranted = tables.tryOut(() => {
        if (tables.isSettled(id)) return false;
        tables.release(id);
        const isEnough = all.every((purse) => fits(tables.totals(purse.name), amount, purse));
        if (isEnough) for (const { name } of all) tables.hold(id, name, amount, this.#at());
        return isEnough;
      });
      return {
        isGranted,
        totals: totalsIn(
          tables,
          purses.map(({ name }) => name),
        ),
      };
    });
  }

  settle(
    id: string | undefined,
    actual: Amount,
    purses: readonly string[] = [],
  ): MaybePromise<BudgetTotals> {
    return this.#step((tables) => {
      if (id !== undefined) {
        if (tables.isSettled(id)) return totalsIn(tables, purses);
        tables.release(id);
        tables.markSettled(id, this.#at());
      }
      const at = this.#windowMs === undefined ? undefined : this.#at();
      for (const name of [WHOLE, ...purses]) {
        tables.book(name, actual, OF_PERIOD.test(name) ? undefined : at);
      }
      return totalsIn(tables, purses);
    });
  }

  totals(purses: readonly string[] = []): MaybePromise<BudgetTotals> {
    return this.#step((tables) => totalsIn(tables, purses));
  }

  /** Waits until all that was settled so far is booked. @throws {@link LockedFileError} */
  async flush(): Promise<void> {
    await this.#database.read(() => {});
  }

  /** Closes the file. The store cannot be used any more, and loses what still waits for other processes. */
  close(): void {
    this.#database.close();
  }

  #step<T>(work: (tables: BudgetTables) => T): MaybePromise<T> {
    return this.#database.write(() => {
      const tables = this.#tables as BudgetTables;
      const now = this.#at();
      tables.date(now);
      tables.expire(now - this.#reservationMs);
      if (this.#windowMs !== undefined) tables.forget(now - this.#windowMs);
      return work(tables);
    });
  }

  #at(): number {
    return Math.trunc(this.#now());
  }
}

function totalsIn(tables: BudgetTables, purses: readonly string[]): BudgetTotals {
  const whole = tables.totals(WHOLE);
  if (purses.length === 0) return whole;
  return { ...whole, purses: purses.map((name) => tables.totals(name)) };
}

function fits({ spent, reserved }: PurseTotals, amount: Amount, limits: BudgetLimits): boolean {
  return (['nanoUsd', 'tokens'] as const).every(
    (unit) =>
      spent[unit] + reserved[unit] + amount[unit] <= (limits[unit] ?? Number.POSITIVE_INFINITY),
  );
}
