import type { EventEmitter } from 'node:events';
import { Cluster, Redis } from 'ioredis';
import { createClient, createCluster } from 'redis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answering, flushed } from '../../../../test/servers/flushed.ts';
import { HAS_REDIS, type RedisServer, startRedis } from '../../../../test/servers/redis-server.ts';
import { RedisBudgetStore, type RedisClient } from '../../src/redis/index.ts';
import type { NodeRedisClient } from '../../src/redis/redis-client.ts';
import { RESTORE, SETTLE } from '../../src/redis/scripts.ts';
import { losing, testAgreement } from '../support/test-agreement.ts';
import { advance } from './support/advance.ts';
import { CLIENTS, type Connected } from './support/clients.ts';
import { startCluster } from './support/start-cluster.ts';
import { testLeases } from './support/test-leases.ts';

const MOST = Number.MAX_SAFE_INTEGER;
const PATIENT = { timeoutMs: 10_000 };
const of = (nanoUsd: number, tokens: number) => ({ nanoUsd, tokens });
const NOTHING = of(0, 0);

describe.skipIf(!HAS_REDIS)('a budget in Redis (needs redis-server)', () => {
  let server: RedisServer;
  let connected: Connected;

  beforeAll(async () => {
    server = await startRedis();
    connected = await (CLIENTS['redis 6'] as (typeof CLIENTS)[string])(server.port);
  });

  afterAll(async () => {
    connected.close();
    await server.stop();
  });

  it.each(Object.entries(CLIENTS))(
    '[RDS1] goes on when the server has forgotten its scripts (%s)',
    async (name, connect) => {
      const { client, close } = await connect(server.port);
      const store = new RedisBudgetStore(client, { ...PATIENT, budget: name });
      await store.settle(undefined, of(1, 2));
      const other = await createClient({ url: server.url }).connect();
      await other.scriptFlush();
      other.destroy();
      expect(await store.settle(undefined, of(1, 2))).toMatchObject({ spent: of(2, 4) });
      close();
    },
  );

  it.each(Object.entries(CLIENTS))(
    '[RDS18] refuses no call because the connection was lost for a moment (%s)',
    async (_, connect) => {
      const own = await startRedis();
      const { client, close } = await connect(own.port);
      const store = new RedisBudgetStore(client, { timeoutMs: 1_000, attempts: 10 });
      await store.totals();
      const admin = await createClient({ url: own.url }).connect();
      const lost = new Promise<void>((resolve) => {
        (client as unknown as EventEmitter).once('reconnecting', resolve);
      });
      await admin.sendCommand(['CLIENT', 'KILL', 'TYPE', 'normal']);
      await lost;
      expect(await store.reserve('a', of(1, 2), {})).toMatchObject({ isGranted: true });
      store.close();
      close();
      admin.destroy();
      await own.stop();
    },
  );

  it('[RDS2] adds beyond 2^53 exactly, and forgets exactly that', async () => {
    const store = new RedisBudgetStore(connected.client, {
      ...PATIENT,
      budget: 'large',
      windowMs: 60_000,
    });
    for (let i = 0; i < 3; i++) await store.settle(undefined, of(MOST, MOST), ['purse']);
    await advance(server.url, 30_000, 'large');
    await store.settle(undefined, of(7, 9), ['purse']);
    expect(await store.totals()).toMatchObject({ spent: of(MOST, MOST) });
    const near = await store.reserve('a', of(1, 1), { nanoUsd: MOST, tokens: MOST });
    expect(near.isGranted).toBe(false);
    await advance(server.url, 30_000, 'large');
    expect(await store.totals(['purse'])).toEqual({
      spent: of(7, 9),
      reserved: NOTHING,
      purses: [{ spent: of(7, 9), reserved: NOTHING }],
    });
    await advance(server.url, 60_000, 'large');
    expect(await store.totals()).toEqual({ spent: NOTHING, reserved: NOTHING });
  });

  it.each([
    ['refuse-next', of(12, 15), NOTHING],
    ['overdraft', of(10, 15), of(2, 0)],
    ['cap', of(10, 15), NOTHING],
  ] as const)(
    '[RDS3] treats what a call cost beyond its reservation as told: %s',
    async (excess, spent, overdraft) => {
      const store = new RedisBudgetStore(connected.client, { ...PATIENT, budget: excess, excess });
      await store.reserve('a', of(10, 20), {});
      expect(await store.settle('a', of(12, 15))).toMatchObject({ spent });
      expect(await store.overdraft()).toEqual(overdraft);
      const { spent: more } = await store.settle('unknown', of(3, 3));
      expect(more).toEqual(of(spent.nanoUsd + 3, spent.tokens + 3));
    },
  );

  it.each([
    ['refuse-next', of(12, 15), NOTHING],
    ['overdraft', of(10, 15), of(2, 0)],
    ['cap', of(10, 15), NOTHING],
  ] as const)(
    '[RDS3] treats what a call from a lease cost beyond its reservation as told: %s',
    async (excess, spent, overdraft) => {
      const budget = `${excess} with leases`;
      const store = new RedisBudgetStore(connected.client, {
        ...PATIENT,
        budget,
        excess,
        lease: true,
      });
      for (let i = 0; i < 20; i++) {
        await store.reserve(`${i}`, of(10, 20), {});
        await store.settle(`${i}`, NOTHING);
      }
      await store.reserve('a', of(10, 20), {});
      expect(await store.settle('a', of(12, 15))).toMatchObject({ spent });
      expect(store.unsettled).toBeGreaterThan(0);
      await store.flush();
      expect(await store.totals()).toEqual({ spent, reserved: NOTHING });
      expect(await store.overdraft()).toEqual(overdraft);
      store.close();
    },
  );

  testLeases([1], () => connected.client);

  testAgreement(
    (options, losses) =>
      new RedisBudgetStore(losing(connected.client, losses), { ...PATIENT, ...options }),
  );

  it('[RDS19] keeps in purses of days and months what a window forgets', async () => {
    const budget = 'days beside a window';
    const store = new RedisBudgetStore(connected.client, { ...PATIENT, budget, windowMs: 60_000 });
    const purses = ['day:2026-11-26/user:ann', 'month:2026-11', 'user:ann'];
    await store.settle(undefined, of(1, 2), purses);
    await advance(server.url, 60_000, budget);
    expect(await store.totals(purses)).toMatchObject({
      spent: NOTHING,
      purses: [{ spent: of(1, 2) }, { spent: of(1, 2) }, { spent: NOTHING }],
    });
  });

  it('[RDS4] leaves nothing on the server of calls and windows that are over, but the sums', async () => {
    const budget = 'tidy';
    const store = new RedisBudgetStore(connected.client, { ...PATIENT, budget, windowMs: 60_000 });
    for (let i = 0; i < 50; i++) {
      await store.reserve(`${i}`, of(5, 5), {}, [{ name: `purse ${i}` }]);
      await store.settle(`${i}`, of(4, 4), [`purse ${i}`]);
    }
    const leasing = new RedisBudgetStore(connected.client, {
      ...PATIENT,
      budget,
      windowMs: 60_000,
      lease: true,
    });
    for (let i = 0; i < 50; i++) {
      await leasing.reserve(`leased ${i}`, of(5, 5), {});
      await leasing.settle(`leased ${i}`, of(4, 4));
    }
    await advance(server.url, 7_200_000, budget);
    await store.totals();
    const client = await createClient({ url: server.url }).connect();
    const sizes = ['books', 'held', 'leases'].map((part) => client.hLen(`teamfuse:{tidy}:${part}`));
    const sets = ['due', 'settled', 'recent'].map((part) =>
      client.zCard(`teamfuse:{tidy}:${part}`),
    );
    // The mark by which each is known to be there, and the options of the last process.
    expect(await Promise.all([...sizes, ...sets])).toEqual([2, 1, 1, 1, 1, 1]);
    client.destroy();
  });

  it.each([
    ['all of it', ['books', 'held', 'due', 'settled', 'recent', 'leases']],
    ['the sums', ['books']],
    ['the reservations', ['held']],
    ['when reservations expire', ['due']],
    ['what was settled', ['settled']],
    ['what the window forgets', ['recent']],
  ])(
    '[RDS17] gets back what was known when the server has lost %s, and tells it once',
    async (lost, parts) => {
      const errors: unknown[] = [];
      const options = { ...PATIENT, budget: lost, windowMs: 60_000 };
      const onError = (error: unknown): void => void errors.push(error);
      const store = new RedisBudgetStore(connected.client, { ...options, onError });
      const limits = { tokens: 10 };
      const purses = [{ name: 'ann' }];
      await store.reserve('a', of(0, 7), limits, purses);
      await store.settle('a', of(0, 7), ['ann']);
      await store.reserve('under way', of(0, 2), limits, purses);
      const client = await createClient({ url: server.url }).connect();
      await client.del(parts.map((part) => `teamfuse:{${encodeURIComponent(lost)}}:${part}`));
      client.destroy();
      const asked = ['b', 'c', 'd'].map((id) => store.reserve(id, of(0, 4), limits, purses));
      expect((await Promise.all(asked)).map(({ isGranted }) => isGranted)).toEqual([
        false,
        false,
        false,
      ]);
      await store.settle('under way', of(0, 2), ['ann']);
      expect(errors).toMatchObject([{ code: 'LOST_BOOKS', budget: lost }]);
      const next = new RedisBudgetStore(connected.client, options);
      const books = { spent: of(0, 9), reserved: NOTHING };
      expect(await next.totals(['ann'])).toEqual({ ...books, purses: [books] });
      await advance(server.url, 60_000, lost);
      expect(await next.totals()).toEqual({ spent: NOTHING, reserved: NOTHING });
      store.close();
    },
  );

  it('[RDS17] loses no settlement that is the first to find the books lost', async () => {
    const store = new RedisBudgetStore(connected.client, { ...PATIENT, budget: 'found' });
    await store.settle('a', of(7, 7));
    await store.reserve('b', of(2, 2), {});
    const admin = await createClient({ url: server.url }).connect();
    await admin.del('teamfuse:{found}:books');
    admin.destroy();
    await store.settle('b', of(2, 2));
    await store.flush();
    expect(await store.totals()).toEqual({ spent: of(9, 9), reserved: NOTHING });
    store.close();
  });

  it('[RDS17] gives back what the answer before the loss has told', async () => {
    const client = connected.client as NodeRedisClient & { del(key: string): Promise<number> };
    let isLost = false;
    const evalSha: NodeRedisClient['evalSha'] = (sha, options) => {
      const answer = client.evalSha(sha, options);
      if (sha === SETTLE.sha && !isLost) {
        isLost = true;
        void client.del('teamfuse:{told}:books');
      }
      return answer;
    };
    const losing = { evalSha, eval: client.eval.bind(client) };
    const store = new RedisBudgetStore(losing, { ...PATIENT, budget: 'told' });
    await store.reserve('a', of(7, 7), {});
    const settled = store.settle('a', of(7, 7));
    await Promise.all([settled, store.reserve('b', of(2, 2), {})]);
    await store.settle('b', of(2, 2));
    expect(await store.totals()).toEqual({ spent: of(9, 9), reserved: NOTHING });
    store.close();
  });

  it('[RDS17] keeps what was booked before another process gives back more', async () => {
    const options = { ...PATIENT, budget: 'afterwards' };
    const [one, other] = [0, 1].map(() => new RedisBudgetStore(connected.client, options)) as [
      RedisBudgetStore,
      RedisBudgetStore,
    ];
    await one.settle('a', of(5, 5), ['purse']);
    await other.settle('b', of(60, 60), ['purse']);
    const admin = await createClient({ url: server.url }).connect();
    await admin.del('teamfuse:{afterwards}:books');
    admin.destroy();
    // It knows less, and is the first to find the books lost.
    await one.settle('c', of(10, 10), ['purse']);
    await one.flush();
    await other.settle('d', of(3, 3), ['purse']);
    await other.flush();
    const all = { spent: of(78, 78), reserved: NOTHING };
    expect(await other.totals(['purse'])).toEqual({ ...all, purses: [all] });
    one.close();
    other.close();
  });

  it('[RDS17] goes on when the answer to what it gives back is lost', async () => {
    const client = connected.client as NodeRedisClient;
    let isLost = false;
    const evalSha: NodeRedisClient['evalSha'] = (sha, options) => {
      if (sha !== RESTORE.sha || isLost) return client.evalSha(sha, options);
      isLost = true;
      return new Promise(() => {});
    };
    const lossy = { evalSha, eval: client.eval.bind(client) };
    const store = new RedisBudgetStore(lossy, { budget: 'unheard', timeoutMs: 100, attempts: 2 });
    await store.settle(undefined, of(1, 2));
    const admin = await createClient({ url: server.url }).connect();
    await admin.del('teamfuse:{unheard}:books');
    admin.destroy();
    await answering(store);
    expect(isLost).toBe(true);
    expect(await store.totals()).toMatchObject({ spent: of(1, 2) });
    store.close();
  });

  it.each<[string, (port: number) => Promise<Connected>]>([
    [
      'redis 6',
      async (port) => {
        const cluster = createCluster({ rootNodes: [{ url: `redis://127.0.0.1:${port}` }] });
        await cluster.connect();
        return { client: cluster, close: () => cluster.destroy() };
      },
    ],
    [
      'ioredis 6',
      async (port) => {
        const cluster = new Cluster([{ host: '127.0.0.1', port }]);
        return { client: cluster, close: () => cluster.disconnect() };
      },
    ],
  ])('[RDS5] keeps each budget in one slot of a cluster (%s)', async (_, connect) => {
    const node = await startCluster();
    const { client, close } = await connect(node.port);
    for (const budget of ['main', '}{', 'a}b']) {
      const store = new RedisBudgetStore(client, { ...PATIENT, budget, windowMs: 60_000 });
      await store.reserve('a', of(5, 5), {});
      expect(await store.settle('a', of(4, 4))).toMatchObject({ spent: of(4, 4) });
    }
    close();
    await node.stop();
  });

  it.each<[string, () => Connected]>([
    [
      'redis 6',
      () => {
        const client = createClient({ socket: { port: 1, host: '127.0.0.1' } });
        client.on('error', () => {});
        void client.connect().catch(() => {});
        return { client, close: () => client.destroy() };
      },
    ],
    [
      'ioredis 6',
      () => {
        const client = new Redis(1, '127.0.0.1', { maxRetriesPerRequest: null });
        client.on('error', () => {});
        return { client, close: () => client.disconnect() };
      },
    ],
  ])(
    '[RDS6] bounds the wait for a client that keeps commands for later (%s)',
    async (_, connect) => {
      const { client, close } = connect();
      const store = new RedisBudgetStore(client, { timeoutMs: 20, attempts: 2 });
      await expect(store.reserve('a', of(1, 1), {})).rejects.toMatchObject({
        code: 'UNREACHABLE_SERVER',
      });
      await store.settle('a', of(1, 1));
      expect(store.unsettled).toBe(1);
      store.close();
      close();
    },
  );

  it('[RDS7] holds what the server was asked too long ago for nobody', async () => {
    const store = new RedisBudgetStore(connected.client, {
      budget: 'late',
      timeoutMs: 20,
      attempts: 2,
    });
    process.kill(server.pid, 'SIGSTOP');
    await expect(store.reserve('a', of(1, 1), {})).rejects.toThrow('no answer within 20 ms');
    await store.settle(undefined, of(2, 2));
    process.kill(server.pid, 'SIGCONT');
    await flushed(store);
    const other = new RedisBudgetStore(connected.client, { ...PATIENT, budget: 'late' });
    expect(await other.totals()).toEqual({ spent: of(2, 2), reserved: NOTHING });
    store.close();
  });
});

it.each([undefined, null, {}, { evalSha: true }])('[RDS8] refuses %j as a client', (client) => {
  expect(() => new RedisBudgetStore(client as RedisClient)).toThrow(
    expect.objectContaining({ code: 'INVALID_OPTION', option: 'client' }),
  );
});
