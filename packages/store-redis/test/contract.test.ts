import { budgetStoreContract, FakeClock } from '@teamfuse/core/testing';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { HAS_REDIS, type RedisServer, startRedis } from '../../../test/servers/redis-server.ts';
import { RedisBudgetStore } from '../src/index.ts';
import { advance } from './support/advance.ts';
import { CLIENTS, type Connected } from './support/clients.ts';

// Only the server's time passes: a busy machine lets no wait end, and no heart-beat prolong a reservation.
const { timers } = new FakeClock();

const CASES = Object.entries(CLIENTS).flatMap(([name, connect]) => [
  { name, connect, lease: false },
  { name: `${name} and leases`, connect, lease: true },
]);

describe.skipIf(!HAS_REDIS).each(CASES)(
  'RedisBudgetStore with $name (needs redis-server)',
  ({ connect, lease }) => {
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
