import { budgetStoreContract, FakeClock } from '@teamfuse/testing';
import { Pool } from 'pg';
import { afterAll, beforeAll, describe, it } from 'vitest';
import {
  HAS_POSTGRES,
  type PostgresServer,
  startPostgres,
} from '../../../../../test/servers/postgres-server.ts';
import { migrate, PostgresBudgetStore } from '../../../src/postgres/index.ts';
import { advance } from './advance.ts';
import { endPool } from './end-pool.ts';

// Only the server's time passes: a busy machine lets no wait end, and no heart-beat prolong a reservation.
const { timers } = new FakeClock();

/** Tests that a store keeps the contract of budgets, with or without leases. */
export function testContract(name: string, { lease }: { readonly lease: boolean }): void {
  describe.skipIf(!HAS_POSTGRES)(`${name} (needs postgresql)`, () => {
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

    const checks = budgetStoreContract(
      ({ budget = '', reservationMs, now }) =>
        new PostgresBudgetStore(pool, { budget, reservationMs, timers, lease, now }),
      { advance: (ms, budget) => advance(pool, ms, budget) },
    );
    for (const { id, title, check } of checks) it(`[${id}] ${title}`, check);
  });
}
