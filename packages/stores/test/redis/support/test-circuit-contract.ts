import { circuitStoreContract } from '@teamfuse/testing';
import { afterAll, beforeAll, describe, it } from 'vitest';
import {
  HAS_REDIS,
  type RedisServer,
  startRedis,
} from '../../../../../test/servers/redis-server.ts';
import { RedisCircuitStore } from '../../../src/redis/index.ts';
import { advanceCircuits } from './advance.ts';
import { CLIENTS, type Connect, type Connected } from './clients.ts';

/** Tests that stores over these of {@link CLIENTS} keep the contract of circuits. */
export function testCircuitContract(names: readonly string[]): void {
  describe.skipIf(!HAS_REDIS).each(names)(
    'RedisCircuitStore with %s (needs redis-server)',
    (name) => {
      const connect = CLIENTS[name] as Connect;
      let server: RedisServer;
      let connected: Connected;
      const others: (() => unknown)[] = [];

      beforeAll(async () => {
        server = await startRedis();
        connected = await connect(server.port);
      });

      afterAll(async () => {
        for (const close of [...others, connected.close]) close();
        await server.stop();
      });

      const make = async ({ fleet }: { readonly fleet: string }) => {
        const { client: subscriber, close } = await connect(server.port);
        const store = new RedisCircuitStore(connected.client, {
          fleet,
          subscriber: subscriber as never,
        });
        others.push(() => store.close(), close);
        return store;
      };
      const checks = circuitStoreContract(make, (ms, fleet) =>
        advanceCircuits(server.url, ms, fleet),
      );
      for (const { id, title, check } of checks) it(`[${id}] ${title}`, check);
    },
  );
}
