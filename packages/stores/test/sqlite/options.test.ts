import { describe, expect, it } from 'vitest';
import { SqliteBudgetStore, SqliteHistoryStore } from '../../src/index.ts';

const hasSqlite = process.getBuiltinModule('node:sqlite') !== undefined;

describe('options of the SQLite stores', () => {
  it.each([
    [{ reservationMs: 0 }, 'reservationMs'],
    [{ windowMs: 0.5 }, 'windowMs'],
    [{ busyTimeoutMs: -1 }, 'busyTimeoutMs'],
    [{ budget: 5 }, 'budget'],
    [{ now: 5 }, 'now'],
    [{ file: 'x' }, 'file'],
  ])('[SQL5] are refused out of range, naming them: %j', (options, option) => {
    expect(() => new SqliteBudgetStore('never.db', options as never)).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTION', option }),
    );
  });

  it.each([
    [{ maxRuns: 0 }, 'maxRuns'],
    [{ busyTimeoutMs: Number.NaN }, 'busyTimeoutMs'],
  ])('[SQL5] are refused out of range by a history: %j', (options, option) => {
    expect(() => new SqliteHistoryStore('never.db', options)).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTION', option }),
    );
  });

  it('[SQL5] include the path of a file', () => {
    expect(() => new SqliteBudgetStore('')).toThrow("option 'path': expected the path of a file");
  });

  it.runIf(hasSqlite)('[SQL10] leave stores that may be closed again', () => {
    for (const Store of [SqliteBudgetStore, SqliteHistoryStore]) {
      const store = new Store(':memory:');
      store.close();
      expect(() => store.close()).not.toThrow();
    }
  });

  it.skipIf(hasSqlite)('[SQL6] name the Node that they need where it has no SQLite', () => {
    for (const Store of [SqliteBudgetStore, SqliteHistoryStore]) {
      expect(() => new Store('never.db')).toThrow(
        expect.objectContaining({
          code: 'UNSUPPORTED_NODE',
          message: `SQLite stores need Node 22.13 or later (from 22.5 with --experimental-sqlite), and this is ${process.version}`,
        }),
      );
    }
  });
});
