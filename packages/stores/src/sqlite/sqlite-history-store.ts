import type { MaybePromise } from '@teamfuse/core/kit';
import { checkNames, type OptionNames } from '@teamfuse/core/options';
import type { HistoryStore } from '../history/history-store.ts';
import { parseRunRecord } from '../history/parse-run-record.ts';
import type { RunRecord } from '../history/run-record.ts';
import { atLeast, path } from '../options.ts';
import { prepareAll, SharedDatabase, type Statement } from './database.ts';

/** Options of {@link SqliteHistoryStore}. */
export interface SqliteHistoryStoreOptions {
  /**
   * Most records of one task; the oldest are forgotten.
   * @defaultValue 100
   */
  readonly maxRuns?: number;
  /**
   * Milliseconds to wait for other processes that write. The event loop goes on meanwhile.
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

const STATEMENTS = {
  insert: 'INSERT INTO run (task, record) VALUES (?, ?)',
  forget: `DELETE FROM run WHERE task = ? AND number <=
    (SELECT number FROM run WHERE task = ? ORDER BY number DESC LIMIT 1 OFFSET ?)`,
  latest: 'SELECT record FROM run WHERE task = ? ORDER BY number DESC LIMIT ?',
  clear: 'DELETE FROM run WHERE task = ?',
} as const;

/**
 * Keeps how runs ended in an SQLite file that any number of processes on one machine may share. It answers at once, or with a
 * promise while another process writes; {@link LockedFileError} if that takes longer than `busyTimeoutMs`.
 */
export class SqliteHistoryStore implements HistoryStore {
  readonly #maxRuns: number;
  readonly #database: SharedDatabase;
  #sql: Readonly<Record<keyof typeof STATEMENTS, Statement>> | undefined;

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
    const waitMs = atLeast('busyTimeoutMs', busyTimeoutMs, 0);
    this.#database = new SharedDatabase(path(file), waitMs, (database) => {
      database.exec(TABLES);
      this.#sql = prepareAll(database, STATEMENTS);
    });
  }

  /** @throws {@link InvalidSnapshotError} naming the wrong field of the record, which is not kept. */
  append(record: RunRecord): MaybePromise<void> {
    const checked = parseRunRecord('record', record);
    const { task } = checked;
    const text = JSON.stringify(checked);
    return this.#database.write(() => {
      this.#sql?.insert.run(task, text);
      this.#sql?.forget.run(task, task, this.#maxRuns);
    });
  }

  latest(task: string, count: number): MaybePromise<readonly RunRecord[]> {
    return this.#database.read(() => {
      const rows = this.#sql?.latest.all(task, count) ?? [];
      return rows.map((row, i) => {
        const { record } = row as { readonly record: string };
        return parseRunRecord(`runs[${i}]`, JSON.parse(record));
      });
    });
  }

  clear(task: string): MaybePromise<void> {
    return this.#database.write(() => {
      this.#sql?.clear.run(task);
    });
  }

  /** Closes the file. The store cannot be used any more. */
  close(): void {
    this.#database.close();
  }
}
