import { closeSync, openSync } from 'node:fs';
import { UnsupportedNodeError } from '../errors.ts';

/** What SQLite stores and gives back here. */
export type SqlValue = string | number | null;

/** A statement that can be run again and again. */
export interface Statement {
  run(...values: readonly SqlValue[]): unknown;
  get(...values: readonly SqlValue[]): unknown;
  all(...values: readonly SqlValue[]): unknown[];
}

/** The part of `DatabaseSync` that is used: the types of Node 20 do not know it. */
export interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

interface Sqlite {
  readonly DatabaseSync: new (file: string) => Database;
}

const RETRY_MS = 10;
/** What SQLite takes for something else than a path. */
const NO_FILE = /^(?::memory:$|file:)/;

/**
 * Opens a file so that several processes can write to it.
 * @throws {@link UnsupportedNodeError}
 */
export function openDatabase(file: string, busyTimeoutMs: number): Database {
  const sqlite = process.getBuiltinModule('node:sqlite') as Sqlite | undefined;
  if (sqlite === undefined) throw new UnsupportedNodeError();
  if (!NO_FILE.test(file)) createPrivate(file);
  const database = new sqlite.DatabaseSync(file);
  try {
    database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    useWriteAheadLog(database, Date.now() + busyTimeoutMs);
    // A process that dies loses nothing; the machine, at most its latest moments.
    database.exec('PRAGMA synchronous = NORMAL');
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
}

/** SQLite itself would let everybody read the file. Who shares an existing one has set its mode. */
function createPrivate(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** SQLite does not wait for others by itself when it changes the kind of log. */
function useWriteAheadLog(database: Database, until: number): void {
  for (;;) {
    try {
      database.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (Date.now() >= until) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
    }
  }
}

/** Runs `work` in one transaction. */
export function inTransaction<T>(database: Database, work: () => T): T {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    try {
      database.exec('ROLLBACK');
    } catch {
      // SQLite has ended the transaction by itself.
    }
    throw error;
  }
}
