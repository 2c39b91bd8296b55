import { budgetStoreContract, FakeClock } from '@teamfuse/testing';
import { afterAll, beforeAll, describe, it } from 'vitest';
import {
  HAS_REDIS,
  type RedisServer,
  startRedis,
} from '../../../../../test/servers/redis-server.ts';
import { RedisBudgetStore } from '../../../src/redis/index.ts';
import { advance } from './advance.ts';
import { CLIENTS, type Connect, type Connected } from './clients.ts';

// Only the server's time passes: a busy machine lets no wait end, and no heart-beat prolong a reservation.
const { timers } = new FakeClock();

/** A store over one of {@link CLIENTS}. */
interface Case {
  readonly name: string;
  readonly lease: boolean;
}

/** Tests that stores keep the contract of budgets. */
export function testContract(cases: readonly Case[]): void {
  describe.skipIf(!HAS_REDIS).each(cases)(
    'RedisBudgetStore with $name, leases: $lease (needs redis-server)',
    ({ name, lease }) => {
      const connect = CLIENTS[name] as Connect;
      let server: RedisServer;
      let connected: Connected;

      beforeAll(async () => {
        server = await startRedis();
        connected = await connect(server.port);
      });

      afterAll(async () => {
        connected.close();
        await server.stop();
      });

      const checks = budgetStoreContract(
        ({ budget = '', reservationMs, now }) =>
          new RedisBudgetStore(connected.client, { budget, reservationMs, timers, lease, now }),
        { advance: (ms, budget) => advance(server.url, ms, budget) },
      );
      for (const { id, title, check } of checks) it(`[${id}] ${title}`, check);
    },
  );
}
