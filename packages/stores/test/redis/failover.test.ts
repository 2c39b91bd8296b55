import { InvalidOptionError } from '@teamfuse/core';
import { Redis } from 'ioredis';
import { Redis as Redis5 } from 'ioredis-5';
import { createClient, createClientPool, createCluster } from 'redis';
import { describe, expect, it } from 'vitest';
import { inSmall, WITH_LEASES } from '../../../../test/fleet/fleets.ts';
import { flushed } from '../../../../test/servers/flushed.ts';
import { HAS_REDIS } from '../../../../test/servers/redis-server.ts';
import { RedisBudgetStore, type RedisClient } from '../../src/redis/index.ts';
import { AMOUNT, Failover, knownIn, NOTHING, STOP } from './support/failover.ts';

describe.skipIf(!HAS_REDIS)('a Redis whose replica takes over (needs redis-server)', () => {
  const failover = new Failover();

  it('[RDS10] may lose what it has confirmed, without replicas', async () => {
    const store = await failover.open(0);
    failover.server.holdBack();
    expect((await store.reserve('a', AMOUNT, {})).isGranted).toBe(true);
    await failover.server.kill();
    await failover.server.promote();
    expect(await (await failover.open(0)).totals()).toEqual({ spent: NOTHING, reserved: NOTHING });
  });

  failover.testClients(['redis 6']);

  it('[RDS16] is asked about replicas once by calls that are made at once', async () => {
    const store = await failover.open(1);
    // After the first, the store also asks with which options its budget was used before.
    for (const id of ['first', 'second']) await store.reserve(id, AMOUNT, {});
    const [before] = await failover.server.callsOf('wait');
    const ids = Array.from({ length: 50 }, (_, n) => `call ${n}`);
    await Promise.all(ids.map((id) => store.reserve(id, AMOUNT, {})));
    expect((await failover.server.callsOf('wait'))[0]).toBe(before + 1);
  });

  it('[RDS14] counts as lost until enough replicas answer, also for who reads its books', async () => {
    const store = await failover.open(2);
    await expect(store.totals()).rejects.toThrow('the server cannot be asked');
    await store.settle('a', AMOUNT);
    await failover.server.addReplica();
    await flushed(store);
    expect((await store.totals()).spent).toEqual(AMOUNT);
  });

  failover.testComeback([{ replicas: 1, what: 'grants nothing, with replicas: 1' }]);

  it('[RDC7] forgets no circuit that it has confirmed, with replicas: 1', async () => {
    const circuits = await failover.openCircuits(1);
    await circuits.apply('cchat', STOP, 1_000);
    failover.server.holdBack();
    await expect(circuits.apply('cother', STOP, 1_000)).rejects.toThrow('the server cannot be');
    await failover.server.kill();
    await failover.server.promote();
    expect(await knownIn(await failover.openCircuits(0))).toEqual(['cchat']);
  });

  failover.testFleets([inSmall(WITH_LEASES)]);
});

describe('replicas', () => {
  const socket = { port: 1, host: '127.0.0.1' };
  const rootNodes = [{ url: 'redis://127.0.0.1:1' }];
  const lazy = { lazyConnect: true } as const;

  it.each<[string, () => unknown]>([
    ['a client of redis with an offline queue', () => createClient({ socket })],
    ['a pool', () => createClientPool({ socket, disableOfflineQueue: true })],
    ['a cluster', () => createCluster({ rootNodes })],
    ['a client of ioredis that sends again', () => new Redis(1, '127.0.0.1', lazy)],
    ['one of ioredis 5', () => new Redis5(1, '127.0.0.1', lazy)],
    ['a cluster of ioredis', () => new Redis.Cluster([socket], lazy)],
  ])('[RDS12] are refused with %s', (_, make) => {
    const client = make() as RedisClient;
    expect(() => new RedisBudgetStore(client, { replicas: 1 })).toThrow(InvalidOptionError);
    expect(() => new RedisBudgetStore(client, { replicas: 1 })).toThrow(
      /'client': expected no pool/,
    );
    expect(() => new RedisBudgetStore(client)).not.toThrow();
  });

  it.each([-1, 0.5, 11, '1'])('[RDS12] are refused as %o', (replicas) => {
    const client = createClient({ socket, disableOfflineQueue: true });
    const make = () => new RedisBudgetStore(client, { replicas: replicas as number });
    expect(make).toThrow(`option 'replicas': expected a whole number from 0 to 10`);
  });
});
