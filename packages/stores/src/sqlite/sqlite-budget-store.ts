import { type BudgetStore, InvalidOptionError } from '@teamfuse/core';
import {
  type Amount,
  type BudgetLimits,
  type BudgetTotals,
  checkNames,
  type OptionNames,
  type Purse,
  type PurseTotals,
  type ReservationResult,
} from '@teamfuse/core/kit';
import { atLeast, path } from '../options.ts';
import { BudgetTables } from './budget-tables.ts';
import { type Database, inTransaction, openDatabase } from './database.ts';

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
   * Milliseconds to wait for other processes that write.
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

/**
 * Keeps spend in an SQLite file that any number of processes on one machine may share.
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
  readonly #database: Database;
  readonly #tables: BudgetTables;

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
    this.#database = openDatabase(path(file), atLeast('busyTimeoutMs', busyTimeoutMs, 0));
    this.#tables = inTransaction(this.#database, () => new BudgetTables(this.#database, budget));
  }

  reserve(
    id: string,
    amount: Amount,
    limits: BudgetLimits,
    purses: readonly Purse[] = [],
  ): ReservationResult {
    const tables = this.#tables;
    const all: readonly Purse[] = [{ ...limits, name: WHOLE }, ...purses];
    return this.#step(() => {
      // What is held under the id stays if the new reservation is refused.
      this.#database.exec('SAVEPOINT before');
      tables.release(id);
      const isGranted = all.every((purse) => fits(tables.totals(purse.name), amount, purse));
      if (isGranted) for (const { name } of all) tables.hold(id, name, amount, this.#at());
      else this.#database.exec('ROLLBACK TO before');
      this.#database.exec('RELEASE before');
      return { isGranted, totals: this.#totals(purses.map(({ name }) => name)) };
    });
  }

  settle(id: string | undefined, actual: Amount, purses: readonly string[] = []): BudgetTotals {
    return this.#step(() => {
      if (id !== undefined) this.#tables.release(id);
      const at = this.#windowMs === undefined ? undefined : this.#at();
      for (const name of [WHOLE, ...purses]) this.#tables.book(name, actual, at);
      return this.#totals(purses);
    });
  }

  totals(purses: readonly string[] = []): BudgetTotals {
    return this.#step(() => this.#totals(purses));
  }

  /** Closes the file. The store cannot be used any more. */
  close(): void {
    this.#database.close();
  }

  #step<T>(work: () => T): T {
    return inTransaction(this.#database, () => {
      const now = this.#at();
      this.#tables.date(now);
      this.#tables.expire(now - this.#reservationMs);
      if (this.#windowMs !== undefined) this.#tables.forget(now - this.#windowMs);
      return work();
    });
  }

  #totals(purses: readonly string[]): BudgetTotals {
    const whole = this.#tables.totals(WHOLE);
    if (purses.length === 0) return whole;
    return { ...whole, purses: purses.map((name) => this.#tables.totals(name)) };
  }

  #at(): number {
    return Math.trunc(this.#now());
  }
}

function fits({ spent, reserved }: PurseTotals, amount: Amount, limits: BudgetLimits): boolean {
  return (['nanoUsd', 'tokens'] as const).every(
    (unit) =>
      spent[unit] + reserved[unit] + amount[unit] <= (limits[unit] ?? Number.POSITIVE_INFINITY),
  );
}
