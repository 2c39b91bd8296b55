import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { flushed } from '../../../../test/servers/flushed.ts';
import {
  HAS_POSTGRES,
  type PostgresServer,
  startPostgres,
} from '../../../../test/servers/postgres-server.ts';
import { migrate, PostgresBudgetStore, type PostgresClient } from '../../src/postgres/index.ts';
import { losing, testAgreement } from '../support/test-agreement.ts';
import { advance } from './support/advance.ts';
import { endPool } from './support/end-pool.ts';
import { testLeases } from './support/test-leases.ts';

const MOST = Number.MAX_SAFE_INTEGER;
const PATIENT = { timeoutMs: 10_000 };
const of = (nanoUsd: number, tokens: number) => ({ nanoUsd, tokens });
const NOTHING = of(0, 0);

describe.skipIf(!HAS_POSTGRES)('a budget in PostgreSQL (needs postgresql)', () => {
  let server: PostgresServer;
  let pool: Pool;

  beforeAll(async () => {
    server = await startPostgres();
    pool = new Pool({ connectionString: server.url, max: 8 });
    await migrate(pool);
  });

  afterAll(async () => {
    await endPool(pool);
    await server.stop();
  });

  it('[PGS1] is set up by any number of processes at once, and keeps what it has', async () => {
    const store = new PostgresBudgetStore(pool, { ...PATIENT, budget: 'kept' });
    await store.settle(undefined, of(1, 2));
    await Promise.all(Array.from({ length: 5 }, () => migrate(pool)));
    expect(await store.totals()).toMatchObject({ spent: of(1, 2) });
  });

  it('[PGS1] is set up while calls of other processes are under way', async () => {
    const other = await pool.connect();
    await other.query('BEGIN; LOCK TABLE teamfuse.held IN ROW EXCLUSIVE MODE');
    await migrate(pool);
    await other.query('ROLLBACK');
    other.release();
  });

  it('[PGS2] adds beyond 2^53 exactly, and forgets exactly that', async () => {
    const budget = 'large';
    const store = new PostgresBudgetStore(pool, { ...PATIENT, budget, windowMs: 60_000 });
    for (let i = 0; i < 3; i++) await store.settle(undefined, of(MOST, MOST), ['purse']);
    await advance(pool, 30_000, budget);
    await store.settle(undefined, of(7, 9), ['purse']);
    expect(await store.totals()).toMatchObject({ spent: of(MOST, MOST) });
    await advance(pool, 30_000, budget);
    expect(await store.totals(['purse'])).toEqual({
      spent: of(7, 9),
      reserved: NOTHING,
      purses: [{ spent: of(7, 9), reserved: NOTHING }],
    });
    await advance(pool, 60_000, budget);
    expect(await store.totals()).toEqual({ spent: NOTHING, reserved: NOTHING });
  });

  it('[PGS10] keeps in purses of days and months what a window forgets', async () => {
    const budget = 'days beside a window';
    const store = new PostgresBudgetStore(pool, { ...PATIENT, budget, windowMs: 60_000 });
    const purses = ['day:2026-11-26/user:ann', 'month:2026-11', 'user:ann'];
    await store.settle(undefined, of(1, 2), purses);
    await advance(pool, 60_000, budget);
    expect(await store.totals(purses)).toMatchObject({
      spent: NOTHING,
      purses: [{ spent: of(1, 2) }, { spent: of(1, 2) }, { spent: NOTHING }],
    });
  });

  it.each([
    ['refuse-next', of(12, 15), NOTHING],
    ['overdraft', of(10, 15), of(2, 0)],
    ['cap', of(10, 15), NOTHING],
  ] as const)(
    '[PGS3] treats what a call cost beyond its reservation as told: %s',
    async (excess, spent, overdraft) => {
      const store = new PostgresBudgetStore(pool, { ...PATIENT, budget: excess, excess });
      await store.reserve('a', of(10, 20), {});
      expect(await store.settle('a', of(12, 15))).toMatchObject({ spent });
      expect(await store.overdraft()).toEqual(overdraft);
      const { spent: more } = await store.settle('unknown', of(3, 3));
      expect(more).toEqual(of(spent.nanoUsd + 3, spent.tokens + 3));
    },
  );

  it.each([
    ['refuse-next', of(12, 15), NOTHING],
    ['overdraft', of(10, 15), of(2, 0)],
    ['cap', of(10, 15), NOTHING],
  ] as const)(
    '[PGS3] treats what a call from a lease cost beyond its reservation as told: %s',
    async (excess, spent, overdraft) => {
      const budget = `${excess} with leases`;
      const store = new PostgresBudgetStore(pool, { ...PATIENT, budget, excess, lease: true });
      for (let i = 0; i < 20; i++) {
        await store.reserve(`${i}`, of(10, 20), {});
        await store.settle(`${i}`, NOTHING);
      }
      await store.reserve('a', of(10, 20), {});
      expect(await store.settle('a', of(12, 15))).toMatchObject({ spent });
      expect(store.unsettled).toBeGreaterThan(0);
      const sql = `SELECT leases::int, calls_under_way::int AS calls FROM teamfuse.report WHERE budget = $1`;
      expect((await pool.query(sql, [budget])).rows).toEqual([{ leases: 1, calls: 0 }]);
      await store.flush();
      expect(await store.totals()).toEqual({ spent, reserved: NOTHING });
      expect(await store.overdraft()).toEqual(overdraft);
      store.close();
    },
  );

  testLeases([1], () => pool);

  testAgreement(
    (options, losses) => new PostgresBudgetStore(losing(pool, losses), { ...PATIENT, ...options }),
  );

  it('[PGS4] reports the books in dollars, a row for each purse', async () => {
    const store = new PostgresBudgetStore(pool, { ...PATIENT, budget: 'reported' });
    await store.settle(undefined, of(1_500_000_000, 10), ['agent']);
    await store.reserve('a', of(250_000_000, 5), {}, [{ name: 'agent' }]);
    const sql = `SELECT purse, usd_spent::float8 AS spent, usd_reserved::float8 AS reserved,
      calls_under_way::int AS calls, oldest_call_since <= clock_timestamp() AS dated
      FROM teamfuse.report WHERE budget = 'reported' ORDER BY purse NULLS FIRST`;
    const row = { spent: 1.5, reserved: 0.25, calls: 1, dated: true };
    expect((await pool.query(sql)).rows).toEqual([
      { ...row, purse: null },
      { ...row, purse: 'agent' },
    ]);
  });

  it.each(['read committed', 'repeatable read', 'serializable'])(
    '[PGS9] decides calls of four processes at once where the isolation is %s by default',
    async (isolation) => {
      const options = `-c default_transaction_isolation=${isolation.replace(' ', '\\ ')}`;
      const pools = Array.from(
        { length: 4 },
        () => new Pool({ connectionString: server.url, max: 5, options }),
      );
      const lost: unknown[] = [];
      const told = { onError: (error: unknown) => lost.push(error) };
      const stores = pools.map(
        (one) => new PostgresBudgetStore(one, { ...PATIENT, ...told, budget: isolation }),
      );
      const limits = { tokens: 1_000 };
      const made = stores.flatMap((store, process) =>
        Array.from({ length: 30 }, async (_, call) => {
          const id = `${process} ${call}`;
          const { isGranted } = await store.reserve(id, of(0, 10), limits, [{ name: 'team' }]);
          if (isGranted) await store.settle(id, of(0, 10), ['team']);
          return isGranted;
        }),
      );
      expect((await Promise.all(made)).filter(Boolean)).toHaveLength(100);
      expect(lost).toEqual([]);
      expect(await stores[0]?.totals()).toEqual({ spent: of(0, 1_000), reserved: NOTHING });
      for (const store of stores) store.close();
      for (const one of pools) await endPool(one);
    },
  );

  it('[PGS5] bounds the wait for a database that does not answer', async () => {
    const blocker = await pool.connect();
    await blocker.query('BEGIN; LOCK TABLE teamfuse.purse');
    const store = new PostgresBudgetStore(pool, { budget: 'slow', timeoutMs: 20, attempts: 2 });
    await expect(store.reserve('a', of(1, 1), {})).rejects.toMatchObject({
      code: 'UNREACHABLE_SERVER',
    });
    await blocker.query('ROLLBACK');
    blocker.release();
    await flushed(store);
    const patient = new PostgresBudgetStore(pool, { ...PATIENT, budget: 'slow' });
    expect(await patient.totals()).toEqual({ spent: NOTHING, reserved: NOTHING });
    store.close();
  });
});

it.each([undefined, null, {}])('[PGS6] refuses %j as a client', (client) => {
  expect(() => new PostgresBudgetStore(client as unknown as PostgresClient)).toThrow(
    expect.objectContaining({ code: 'INVALID_OPTION', option: 'client' }),
  );
});
