import { budgetStoreContract } from '@teamfuse/core/testing';
import { Pool } from 'pg';
import { afterAll, beforeAll, describe, it } from 'vitest';
import {
  HAS_POSTGRES,
  type PostgresServer,
  startPostgres,
} from '../../../test/servers/postgres-server.ts';
import { migrate, PostgresBudgetStore } from '../src/index.ts';
import { advance } from './support/advance.ts';

describe.skipIf(!HAS_POSTGRES)('PostgresBudgetStore (needs postgresql)', () => {
  let server: PostgresServer;
  let pool: Pool;

  beforeAll(async () => {
    server = await startPostgres();
    pool = new Pool({ connectionString: server.url, max: 8 });
    await migrate(pool);
  });

  afterAll(async () => {
    await pool.end();
    await server.stop();
  });

  const checks = budgetStoreContract(
    ({ budget = '', reservationMs }) =>
      // Patient, for machines that are busy.
      new PostgresBudgetStore(pool, { budget, reservationMs, timeoutMs: 10_000 }),
    { advance: (ms, budget) => advance(pool, ms, budget) },
  );
  for (const { id, title, check } of checks) it(`[${id}] ${title}`, check);
});
