import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Fleet } from '../../../../../test/fleet/fleets.ts';
import { runFleet, WORKER_NODE } from '../../../../../test/fleet/run-fleet.ts';
import { CALL } from '../../../../../test/fleet/work.ts';
import { answering } from '../../../../../test/servers/flushed.ts';
import {
  HAS_REDIS,
  type RedisServer,
  startRedis,
} from '../../../../../test/servers/redis-server.ts';
import { RedisBudgetStore } from '../../../src/redis/index.ts';
import { advance } from './advance.ts';
import { CLIENTS } from './clients.ts';

const WORKER = fileURLToPath(new URL('worker.ts', import.meta.url));

/** Tests the books of fleets that are disturbed. */
export function testFleets(fleets: readonly Fleet[]): void {
  describe.skipIf(!HAS_REDIS || WORKER_NODE === undefined)(
    'a fleet on Redis (needs redis-server, and a Node that runs TypeScript)',
    () => {
      let server: RedisServer;

      beforeAll(async () => {
        server = await startRedis();
      });

      afterAll(() => server.stop());

      it.each(fleets)(
        '[RDS9] never spends beyond its budget, whoever is killed or stands still, and its books are what was served, $how',
        async (fleet) => {
          const { budget, calls } = fleet;
          const { client, close } = await (CLIENTS['redis 6'] as (typeof CLIENTS)[string])(
            server.port,
          );
          const watch = new RedisBudgetStore(client, { budget, timeoutMs: 10_000 });
          const limit = Math.floor(3 * calls * CALL * 0.4);
          const report = await runFleet(WORKER, server, watch, limit, fleet);
          await answering(watch);
          const { spent } = await watch.totals();
          console.info(
            `Redis: ${JSON.stringify({ budget, limit, spent: spent.tokens, ...report })}`,
          );
          expect(report.most).toBeLessThanOrEqual(limit);
          expect(report.most).toBeGreaterThan(0.9 * limit);
          expect(spent.tokens).toBeGreaterThanOrEqual(report.settled);
          expect(spent.tokens).toBeLessThanOrEqual(report.settling);
          const { killed, stopped, restarted } = report.counts;
          expect(Math.min(killed, stopped, restarted)).toBeGreaterThan(0);
          // What was left behind lasts no longer than a life.
          await advance(server.url, 60_000, budget);
          expect(await watch.totals()).toMatchObject({ reserved: { nanoUsd: 0, tokens: 0 } });
          close();
        },
      );
    },
  );
}
