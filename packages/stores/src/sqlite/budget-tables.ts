import type { Amount, PurseTotals } from '@teamfuse/core/kit';
import { type Database, prepareAll, type Statement } from './database.ts';

const MOST = Number.MAX_SAFE_INTEGER;
/** Sums stay well within 64 bits, so that what was added can be taken off again. */
const CEILING = '4611686018427387904';

const TABLES = `
CREATE TABLE IF NOT EXISTS budget_purse (
  budget TEXT NOT NULL, purse TEXT NOT NULL,
  usd_spent INTEGER NOT NULL DEFAULT 0, tokens_spent INTEGER NOT NULL DEFAULT 0,
  usd_held INTEGER NOT NULL DEFAULT 0, tokens_held INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (budget, purse)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS budget_held (
  budget TEXT NOT NULL, id TEXT NOT NULL, purse TEXT NOT NULL,
  usd INTEGER NOT NULL, tokens INTEGER NOT NULL, at INTEGER NOT NULL,
  PRIMARY KEY (budget, id, purse)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS budget_held_at ON budget_held (budget, at);
CREATE TABLE IF NOT EXISTS budget_settled (
  budget TEXT NOT NULL, id TEXT NOT NULL, at INTEGER NOT NULL,
  PRIMARY KEY (budget, id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS budget_settled_at ON budget_settled (budget, at);
CREATE TABLE IF NOT EXISTS budget_recent (
  budget TEXT NOT NULL, purse TEXT NOT NULL, at INTEGER NOT NULL,
  usd INTEGER NOT NULL, tokens INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS budget_recent_at ON budget_recent (budget, at);
`;

const STATEMENTS = {
  totals: `SELECT MIN(usd_spent, ${MOST}) AS usdSpent, MIN(tokens_spent, ${MOST}) AS tokensSpent,
    MIN(usd_held, ${MOST}) AS usdHeld, MIN(tokens_held, ${MOST}) AS tokensHeld
    FROM budget_purse WHERE budget = ? AND purse = ?`,
  insertHeld:
    'INSERT INTO budget_held (budget, id, purse, usd, tokens, at) VALUES (?, ?, ?, ?, ?, ?)',
  addHeld: `INSERT INTO budget_purse (budget, purse, usd_held, tokens_held) VALUES (?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET usd_held = MIN(usd_held + excluded.usd_held, ${CEILING}),
      tokens_held = MIN(tokens_held + excluded.tokens_held, ${CEILING})`,
  removeHeld: `UPDATE budget_purse SET usd_held = MAX(usd_held - CAST(? AS INTEGER), 0),
    tokens_held = MAX(tokens_held - CAST(? AS INTEGER), 0) WHERE budget = ? AND purse = ?`,
  heldUnder: 'SELECT purse, usd, tokens FROM budget_held WHERE budget = ? AND id = ?',
  deleteHeld: 'DELETE FROM budget_held WHERE budget = ? AND id = ?',
  heldUntil: 'SELECT purse, usd, tokens FROM budget_held WHERE budget = ? AND at <= ?',
  deleteHeldUntil: 'DELETE FROM budget_held WHERE budget = ? AND at <= ?',
  isSettled: 'SELECT 1 FROM budget_settled WHERE budget = ? AND id = ?',
  insertSettled: 'INSERT INTO budget_settled (budget, id, at) VALUES (?, ?, ?)',
  deleteSettledUntil: 'DELETE FROM budget_settled WHERE budget = ? AND at <= ?',
  addSpent: `INSERT INTO budget_purse (budget, purse, usd_spent, tokens_spent) VALUES (?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET usd_spent = MIN(usd_spent + excluded.usd_spent, ${CEILING}),
      tokens_spent = MIN(tokens_spent + excluded.tokens_spent, ${CEILING})`,
  removeSpent: `UPDATE budget_purse SET usd_spent = MAX(usd_spent - CAST(? AS INTEGER), 0),
    tokens_spent = MAX(tokens_spent - CAST(? AS INTEGER), 0) WHERE budget = ? AND purse = ?`,
  insertRecent: 'INSERT INTO budget_recent (budget, purse, at, usd, tokens) VALUES (?, ?, ?, ?, ?)',
  heldBack: 'UPDATE budget_held SET at = ? WHERE budget = ? AND at > ?',
  settledBack: 'UPDATE budget_settled SET at = ? WHERE budget = ? AND at > ?',
  recentBack: 'UPDATE budget_recent SET at = ? WHERE budget = ? AND at > ?',
  recentUntil: 'SELECT purse, usd, tokens FROM budget_recent WHERE budget = ? AND at <= ?',
  deleteRecentUntil: 'DELETE FROM budget_recent WHERE budget = ? AND at <= ?',
} as const;

interface Row {
  readonly purse: string;
  readonly usd: number;
  readonly tokens: number;
}

/** The tables of one budget in a file. The purse without a name is the whole budget. */
export class BudgetTables {
  readonly #database: Database;
  readonly #budget: string;
  readonly #sql: Readonly<Record<keyof typeof STATEMENTS, Statement>>;

  constructor(database: Database, budget: string) {
    database.exec(TABLES);
    this.#database = database;
    this.#budget = budget;
    this.#sql = prepareAll(database, STATEMENTS);
  }

  /** Takes back what `work` has changed unless it returns true. */
  tryOut(work: () => boolean): boolean {
    this.#database.exec('SAVEPOINT before');
    const isKept = work();
    if (!isKept) this.#database.exec('ROLLBACK TO before');
    this.#database.exec('RELEASE before');
    return isKept;
  }

  totals(purse: string): PurseTotals {
    const row = this.#sql.totals.get(this.#budget, purse);
    const { usdSpent = 0, tokensSpent = 0, usdHeld = 0, tokensHeld = 0 } = Object(row);
    return {
      spent: { nanoUsd: usdSpent, tokens: tokensSpent },
      reserved: { nanoUsd: usdHeld, tokens: tokensHeld },
    };
  }

  hold(id: string, purse: string, { nanoUsd, tokens }: Amount, at: number): void {
    this.#sql.insertHeld.run(this.#budget, id, purse, nanoUsd, tokens, at);
    this.#sql.addHeld.run(this.#budget, purse, nanoUsd, tokens);
  }

  /** Releases what is reserved under an id, in all purses. */
  release(id: string): void {
    this.#remove(this.#sql.removeHeld, this.#sql.heldUnder.all(this.#budget, id));
    this.#sql.deleteHeld.run(this.#budget, id);
  }

  /** Takes what a clock that was ahead has dated after `now` as of now. */
  date(now: number): void {
    this.#sql.heldBack.run(now, this.#budget, now);
    this.#sql.settledBack.run(now, this.#budget, now);
    this.#sql.recentBack.run(now, this.#budget, now);
  }

  isSettled(id: string): boolean {
    return this.#sql.isSettled.get(this.#budget, id) !== undefined;
  }

  markSettled(id: string, at: number): void {
    this.#sql.insertSettled.run(this.#budget, id, at);
  }

  /** Releases reservations made at this time or before, and forgets which calls were settled then. */
  expire(until: number): void {
    this.#sql.deleteSettledUntil.run(this.#budget, until);
    const expired = this.#sql.heldUntil.all(this.#budget, until);
    if (expired.length === 0) return;
    this.#remove(this.#sql.removeHeld, expired);
    this.#sql.deleteHeldUntil.run(this.#budget, until);
  }

  /** Books spend; with a time, so that it can be forgotten. */
  book(purse: string, { nanoUsd, tokens }: Amount, at: number | undefined): void {
    this.#sql.addSpent.run(this.#budget, purse, nanoUsd, tokens);
    if (at === undefined || (nanoUsd === 0 && tokens === 0)) return;
    this.#sql.insertRecent.run(this.#budget, purse, at, nanoUsd, tokens);
  }

  /** Forgets what was spent at this time or before. */
  forget(until: number): void {
    const old = this.#sql.recentUntil.all(this.#budget, until);
    if (old.length === 0) return;
    this.#remove(this.#sql.removeSpent, old);
    this.#sql.deleteRecentUntil.run(this.#budget, until);
  }

  #remove(statement: Statement, rows: readonly unknown[]): void {
    for (const { purse, usd, tokens } of rows as readonly Row[]) {
      statement.run(usd, tokens, this.#budget, purse);
    }
  }
}
