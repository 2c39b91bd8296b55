import { fileURLToPath } from 'node:url';
import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Fleet } from '../../../../../test/fleet/fleets.ts';
import { runFleet, WORKER_NODE } from '../../../../../test/fleet/run-fleet.ts';
import { CALL } from '../../../../../test/fleet/work.ts';
import { answering } from '../../../../../test/servers/flushed.ts';
import {
  HAS_POSTGRES,
  type PostgresServer,
  startPostgres,
} from '../../../../../test/servers/postgres-server.ts';
import { migrate, PostgresBudgetStore } from '../../../src/postgres/index.ts';
import { advance } from './advance.ts';
import { endPool } from './end-pool.ts';

const WORKER = fileURLToPath(new URL('worker.ts', import.meta.url));

/** Tests the books of fleets that are disturbed. */
export function testFleets(fleets: readonly Fleet[]): void {
  describe.skipIf(!HAS_POSTGRES || WORKER_NODE === undefined)(
    'a fleet on PostgreSQL (needs postgresql, and a Node that runs TypeScript)',
    () => {
      let server: PostgresServer;

      beforeAll(async () => {
        server = await startPostgres();
      });

      afterAll(() => server.stop());

      it.each(fleets)(
        '[PGS7] never spends beyond its budget, whoever is killed or stands still, and its books are what was served, $how',
        async (fleet) => {
          const { budget, calls } = fleet;
          const pool = new Pool({ connectionString: server.url });
          pool.on('error', () => {});
          await migrate(pool);
          const watch = new PostgresBudgetStore(pool, { budget, timeoutMs: 10_000 });
          const limit = Math.floor(3 * calls * CALL * 0.4);
          const report = await runFleet(WORKER, server, watch, limit, fleet);
          console.info(`PostgreSQL: ${JSON.stringify({ budget, limit, ...report })}`);
          expect(report.most).toBeLessThanOrEqual(limit);
          expect(report.most).toBeGreaterThan(0.9 * limit);
          await answering(watch);
          const { spent } = await watch.totals();
          expect(spent.tokens).toBeGreaterThanOrEqual(report.settled);
          expect(spent.tokens).toBeLessThanOrEqual(report.settling);
          const { killed, stopped, restarted } = report.counts;
          expect(Math.min(killed, stopped, restarted)).toBeGreaterThan(0);
          // What was left behind lasts no longer than a life.
          await advance(pool, 60_000, budget);
          expect(await watch.totals()).toMatchObject({ reserved: { nanoUsd: 0, tokens: 0 } });
          await endPool(pool);
        },
      );
    },
  );
}
