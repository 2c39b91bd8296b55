import { afterAll, beforeAll, describe } from 'vitest';
import { HAS_REDIS, type RedisServer, startRedis } from '../../../../test/servers/redis-server.ts';
import { CLIENTS, type Connect, type Connected } from './support/clients.ts';
import { testLeases } from './support/test-leases.ts';

describe.skipIf(!HAS_REDIS)('a budget in Redis (needs redis-server)', () => {
  let server: RedisServer;
  let connected: Connected;

  beforeAll(async () => {
    server = await startRedis();
    connected = await (CLIENTS['redis 6'] as Connect)(server.port);
  });

  afterAll(async () => {
    connected.close();
    await server.stop();
  });

  testLeases([2, 3], () => connected.client);
});
