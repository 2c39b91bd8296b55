import { fileURLToPath } from 'node:url';
import { Breaker, InvalidOptionError } from '@teamfuse/core';
import { Redis } from 'ioredis';
import { Redis as Redis5 } from 'ioredis-5';
import { createClient, createClientPool, createCluster } from 'redis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runFleet, WORKER_NODE } from '../../../test/fleet/run-fleet.ts';
import { CALL } from '../../../test/fleet/work.ts';
import { answering, flushed } from '../../../test/servers/flushed.ts';
import { HAS_REDIS } from '../../../test/servers/redis-server.ts';
import { RedisBudgetStore, RedisCircuitStore, type RedisClient } from '../src/index.ts';
import { advance } from './support/advance.ts';
import { CLIENTS, type Connected } from './support/clients.ts';
import { ReplicatedRedis } from './support/replicated.ts';

/** How many calls each of three processes makes. `FLEET_CALLS=10000` takes minutes. */
const CALLS = Number(process.env.FLEET_CALLS ?? 150);
const WORKER = fileURLToPath(new URL('support/worker.ts', import.meta.url));
const AMOUNT = { nanoUsd: 0, tokens: 10 };
const STOP = { type: 'stop', trip: new Breaker().stop('enough') } as const;
const NOTHING = { nanoUsd: 0, tokens: 0 };

describe.skipIf(!HAS_REDIS)('a Redis whose replica takes over (needs redis-server)', () => {
  let server: ReplicatedRedis;
  const connections: Connected[] = [];

  beforeEach(async () => {
    server = await ReplicatedRedis.start();
  });

  afterEach(async () => {
    for (const { close } of connections.splice(0)) close();
    await server.stop();
  });

  const open = async (replicas: number, name = 'redis 6', port = server.port) => {
    const connected = await (CLIENTS[name] as (typeof CLIENTS)[string])(port);
    connections.push(connected);
    return new RedisBudgetStore(connected.client, { replicas, timeoutMs: 2_000, attempts: 1 });
  };

  const openCircuits = async (replicas: number) => {
    const connected = await (CLIENTS['redis 6'] as (typeof CLIENTS)[string])(server.port);
    const store = new RedisCircuitStore(connected.client, {
      replicas,
      timeoutMs: 2_000,
      attempts: 1,
    });
    connections.push({ ...connected, close: () => [store.close(), connected.close()] });
    return store;
  };

  it('[RDS10] may lose what it has confirmed, without replicas', async () => {
    const store = await open(0);
    server.holdBack();
    expect((await store.reserve('a', AMOUNT, {})).isGranted).toBe(true);
    await server.kill();
    await server.promote();
    expect(await (await open(0)).totals()).toEqual({ spent: NOTHING, reserved: NOTHING });
  });

  it.each(Object.keys(CLIENTS))(
    '[RDS10] loses nothing that it has confirmed, with replicas: 1 and %s',
    async (name) => {
      const store = await open(1, name);
      expect((await store.reserve('a', AMOUNT, {})).isGranted).toBe(true);
      await store.settle('b', { nanoUsd: 0, tokens: 3 });
      expect(store.unsettled).toBe(0);
      server.holdBack();
      await expect(store.reserve('c', AMOUNT, {})).rejects.toThrow('the server cannot be asked');
      await server.kill();
      await server.promote();
      const spent = { nanoUsd: 0, tokens: 3 };
      expect(await (await open(0)).totals()).toEqual({ spent, reserved: AMOUNT });
    },
  );

  it('[RDS10] keeps a settlement until a replica has it', async () => {
    const store = await open(1);
    server.holdBack();
    await store.settle('a', AMOUNT);
    expect(store.unsettled).toBe(1);
    await server.kill();
    await server.restart();
    await flushed(store);
    expect((await store.totals()).spent).toEqual(AMOUNT);
  });

  it('[RDS10] waits for replicas also where the change was made before', async () => {
    await (await open(1)).settle('a', AMOUNT);
    const [, before] = await server.callsOf('set');
    await (await open(1)).settle('a', AMOUNT);
    expect(await server.callsOf('set')).toEqual([before + 1, before + 1]);
  });

  it('[RDS10] takes nothing for confirmed because it is asked again over another connection', async () => {
    const [one, other] = [await open(1), await open(1)];
    server.holdBack();
    for (const store of [one, other]) await store.settle('a', AMOUNT);
    expect([one.unsettled, other.unsettled]).toEqual([1, 1]);
  });

  it('[RDS16] is asked about replicas once by calls that are made at once', async () => {
    const store = await open(1);
    await store.reserve('first', AMOUNT, {});
    const [before] = await server.callsOf('wait');
    const ids = Array.from({ length: 50 }, (_, n) => `call ${n}`);
    await Promise.all(ids.map((id) => store.reserve(id, AMOUNT, {})));
    expect((await server.callsOf('wait'))[0]).toBe(before + 1);
  });

  it('[RDS10] says how many replicas were missing', async () => {
    await (await open(1)).reserve('a', AMOUNT, {}); // from now on the server knows the script
    const store = await open(2);
    const error = await store.reserve('a', AMOUNT, {}).catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      cause: { message: '1 of 2 replicas have confirmed a change' },
    });
  });

  it('[RDS14] counts as lost until enough replicas answer, also for who reads its books', async () => {
    const store = await open(2);
    await expect(store.totals()).rejects.toThrow('the server cannot be asked');
    await store.settle('a', AMOUNT);
    await server.addReplica();
    await flushed(store);
    expect((await store.totals()).spent).toEqual(AMOUNT);
  });

  it.each([
    { replicas: 0, what: 'grants calls, without replicas' },
    { replicas: 1, what: 'grants nothing, with replicas: 1' },
  ])('[RDS15] that comes back after its replica took over $what', async ({ replicas }) => {
    const { pid, url } = server;
    const store = await open(replicas, 'redis 6', Number(new URL(url).port));
    await store.reserve('a', AMOUNT, {});
    process.kill(pid, 'SIGSTOP');
    await server.restart();
    process.kill(pid, 'SIGCONT');
    const granted = await store.reserve('b', AMOUNT, {}).then(
      ({ isGranted }) => isGranted,
      () => false,
    );
    expect(granted).toBe(replicas === 0);
    await store.settle('a', AMOUNT);
    expect(store.unsettled > 0).toBe(replicas === 1);
  });

  it('[RDC7] may forget a circuit that it has confirmed, without replicas', async () => {
    const circuits = await openCircuits(0);
    server.holdBack();
    expect((await circuits.apply('cchat', STOP, 1_000)).state.status).toBe('stopped');
    await server.kill();
    await server.promote();
    expect(await knownIn(await openCircuits(0))).toEqual([]);
  });

  it('[RDC7] forgets no circuit that it has confirmed, with replicas: 1', async () => {
    const circuits = await openCircuits(1);
    await circuits.apply('cchat', STOP, 1_000);
    server.holdBack();
    await expect(circuits.apply('cother', STOP, 1_000)).rejects.toThrow('the server cannot be');
    await server.kill();
    await server.promote();
    expect(await knownIn(await openCircuits(0))).toEqual(['cchat']);
  });

  it.skipIf(WORKER_NODE === undefined).each([
    { how: 'call by call', budget: 'fleet', calls: CALLS, isLeasing: false },
    { how: 'with leases', budget: 'leasing fleet', calls: 6 * CALLS, isLeasing: true },
  ])(
    '[RDS11] is spent by a fleet to the limit and never beyond it, however often its replica takes over, $how (needs a Node that runs TypeScript)',
    async ({ budget, calls, isLeasing }) => {
      const { client, close } = await (CLIENTS['redis 6'] as (typeof CLIENTS)[string])(server.port);
      connections.push({ client, close });
      const watch = new RedisBudgetStore(client, { budget, timeoutMs: 10_000 });
      const limit = Math.floor(3 * calls * CALL * 0.4);
      const worker = [WORKER, '--replicas', '1'];
      const report = await runFleet(worker, server, watch, limit, calls, isLeasing);
      await answering(watch);
      const { spent } = await watch.totals();
      console.info(
        `Redis with failover: ${JSON.stringify({ budget, limit, spent: spent.tokens, ...report })}`,
      );
      expect(report.most).toBeLessThanOrEqual(limit);
      expect(report.most).toBeGreaterThan(0.9 * limit);
      expect(spent.tokens).toBeGreaterThanOrEqual(report.settled);
      expect(spent.tokens).toBeLessThanOrEqual(report.settling);
      const { killed, stopped, restarted } = report.counts;
      expect(Math.min(killed, stopped, restarted)).toBeGreaterThan(0);
      await advance(server.url, 60_000, budget);
      expect(await watch.totals()).toMatchObject({ reserved: NOTHING });
    },
  );
});

/** The circuits that a store tells of. */
async function knownIn(store: RedisCircuitStore): Promise<readonly string[]> {
  const ids: string[] = [];
  const { known, end } = store.follow((changes) => {
    for (const { id, state } of changes) if (state.status !== 'closed') ids.push(id);
  });
  await known;
  end();
  return ids;
}

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
