import type { HistoryStore } from '@teamfuse/core';
import { checkNames, type OptionNames, parseRunRecord, type RunRecord } from '@teamfuse/core/kit';
import { atLeast, path } from '../options.ts';
import { type Database, inTransaction, openDatabase } from './database.ts';

/** Options of {@link SqliteHistoryStore}. */
export interface SqliteHistoryStoreOptions {
  /**
   * Most records of one task; the oldest are forgotten.
   * @defaultValue 100
   */
  readonly maxRuns?: number;
  /**
   * Milliseconds to wait for other processes that write.
   * @defaultValue 5_000
   */
  readonly busyTimeoutMs?: number;
}

const NAMES: OptionNames<SqliteHistoryStoreOptions> = { maxRuns: true, busyTimeoutMs: true };

const TABLES = `
CREATE TABLE IF NOT EXISTS run (
  number INTEGER PRIMARY KEY AUTOINCREMENT, task TEXT NOT NULL, record TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS run_task ON run (task, number);
`;

/** Keeps how runs ended in an SQLite file that any number of processes on one machine may share. */
export class SqliteHistoryStore implements HistoryStore {
  readonly #maxRuns: number;
  readonly #database: Database;

  /**
   * Opens the file, and creates it if there is none.
   *
   * @throws {@link UnsupportedNodeError} where Node has no SQLite.
   * @throws {@link InvalidOptionError} naming the option, the expected and the received value.
   */
  constructor(file: string, options: SqliteHistoryStoreOptions = {}) {
    checkNames('', options, NAMES);
    const { maxRuns = 100, busyTimeoutMs = 5_000 } = options;
    this.#maxRuns = atLeast('maxRuns', maxRuns, 1);
    this.#database = openDatabase(path(file), atLeast('busyTimeoutMs', busyTimeoutMs, 0));
    inTransaction(this.#database, () => this.#database.exec(TABLES));
  }

  append(record: RunRecord): void {
    const { task } = record;
    inTransaction(this.#database, () => {
      this.#database
        .prepare('INSERT INTO run (task, record) VALUES (?, ?)')
        .run(task, JSON.stringify(record));
      this.#database
        .prepare(
          `DELETE FROM run WHERE task = ? AND number <=
            (SELECT number FROM run WHERE task = ? ORDER BY number DESC LIMIT 1 OFFSET ?)`,
        )
        .run(task, task, this.#maxRuns);
    });
  }

  latest(task: string, count: number): readonly RunRecord[] {
    const rows = this.#database
      .prepare('SELECT record FROM run WHERE task = ? ORDER BY number DESC LIMIT ?')
      .all(task, count);
    return rows.map((row, i) => {
      const { record } = row as { readonly record: string };
      return parseRunRecord(`runs[${i}]`, JSON.parse(record));
    });
  }

  clear(task: string): void {
    this.#database.prepare('DELETE FROM run WHERE task = ?').run(task);
  }

  /** Closes the file. The store cannot be used any more. */
  close(): void {
    this.#database.close();
  }
}
