import { closeSync, openSync } from 'node:fs';
import type { MaybePromise } from '@teamfuse/core/kit';
import { LockedFileError, UnsupportedNodeError } from '../errors.ts';

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

/** What waits until another process has written. */
interface Waiting {
  readonly attempt: () => void;
  readonly fail: (error: unknown) => void;
  readonly until: number;
}

/** The lowest bytes of the codes of SQLite for a file that somebody else has locked. */
const LOCKED = [5, 6];
const MAX_PAUSE_MS = 4;
/** How long waiting work is done before everything else in the process has its turn. */
const WORK_MS = 10;
/** What SQLite takes for something else than a path. */
const NO_FILE = /^(?::memory:$|file:)/;

/**
 * A file to which several processes write, one at a time. SQLite would block this process while it waits for another one; so
 * it is told not to wait, and the work is tried again.
 */
export class SharedDatabase {
  readonly #file: string;
  readonly #busyTimeoutMs: number;
  readonly #database: Database;
  readonly #prepare: (database: Database) => void;
  readonly #waiting: Waiting[] = [];
  #isPrepared = false;
  #isClosed = false;

  /**
   * Opens the file. `prepare` is called in the first transaction: now, unless another process writes.
   * @throws {@link UnsupportedNodeError}
   */
  constructor(file: string, busyTimeoutMs: number, prepare: (database: Database) => void) {
    const sqlite = process.getBuiltinModule('node:sqlite') as Sqlite | undefined;
    if (sqlite === undefined) throw new UnsupportedNodeError();
    this.#file = file;
    this.#busyTimeoutMs = busyTimeoutMs;
    this.#prepare = prepare;
    if (!NO_FILE.test(file)) createPrivate(file);
    this.#database = new sqlite.DatabaseSync(file);
    try {
      this.#database.exec('PRAGMA busy_timeout = 0');
      this.#transaction('IMMEDIATE', () => {});
    } catch (error) {
      if (isLocked(error)) return;
      this.close();
      throw error;
    }
  }

  /**
   * Runs `work` in one transaction: at once, or in turn as soon as no other process writes. It may be run several times, but
   * only one of them counts.
   *
   * @throws {@link LockedFileError} if that takes longer than `busyTimeoutMs`.
   */
  write<T>(work: () => T): MaybePromise<T> {
    return this.#inTurn(() => this.#transaction('IMMEDIATE', work));
  }

  /** The same for `work` that only reads, for which others may write. */
  read<T>(work: () => T): MaybePromise<T> {
    return this.#inTurn(() => this.#transaction(this.#isPrepared ? 'DEFERRED' : 'IMMEDIATE', work));
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#database.close();
  }

  #inTurn<T>(attempt: () => T): MaybePromise<T> {
    if (this.#waiting.length === 0) {
      try {
        return attempt();
      } catch (error) {
        if (!isLocked(error)) throw error;
      }
    }
    return new Promise<T>((resolve, fail) => {
      const until = performance.now() + this.#busyTimeoutMs;
      const length = this.#waiting.push({ attempt: () => resolve(attempt()), fail, until });
      if (length === 1) this.#tryAgain();
    });
  }

  #tryAgain(): void {
    // Random, so that the processes that wait spread out.
    setTimeout(() => {
      const until = performance.now() + WORK_MS;
      while (performance.now() < until && this.#tryFirst());
      if (this.#waiting.length > 0) this.#tryAgain();
    }, MAX_PAUSE_MS * Math.random());
  }

  /** Whether the first in turn is over. */
  #tryFirst(): boolean {
    const [first] = this.#waiting;
    if (first === undefined) return false;
    try {
      first.attempt();
    } catch (error) {
      if (isLocked(error) && performance.now() < first.until) return false;
      const late = isLocked(error) && new LockedFileError(this.#file, [], this.#busyTimeoutMs);
      first.fail(late || error);
    }
    this.#waiting.shift();
    return true;
  }

  #transaction<T>(kind: 'IMMEDIATE' | 'DEFERRED', work: () => T): T {
    const database = this.#database;
    if (!this.#isPrepared) {
      database.exec('PRAGMA journal_mode = WAL');
      // A process that dies loses nothing; the machine, at most its latest moments.
      database.exec('PRAGMA synchronous = NORMAL');
    }
    database.exec(`BEGIN ${kind}`);
    try {
      if (!this.#isPrepared) this.#prepare(database);
      const result = work();
      database.exec('COMMIT');
      this.#isPrepared = true;
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
}

/** SQLite itself would let everybody read the file. Who shares an existing one has set its mode. */
function createPrivate(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** The statements of these texts, under the same names. */
export function prepareAll<Name extends string>(
  database: Database,
  texts: Readonly<Record<Name, string>>,
): Readonly<Record<Name, Statement>> {
  return Object.fromEntries(
    Object.entries<string>(texts).map(([name, sql]) => [name, database.prepare(sql)]),
  ) as Record<Name, Statement>;
}

function isLocked(error: unknown): boolean {
  const { errcode } = Object(error);
  return typeof errcode === 'number' && LOCKED.includes(errcode & 0xff);
}
