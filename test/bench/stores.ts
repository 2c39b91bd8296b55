import { Pool } from 'pg';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRedis,
} from 'rate-limiter-flexible';
import { createClient } from 'redis';
import { type BudgetStore, MemoryBudgetStore } from '../../packages/core/src/index.ts';
import { SqliteBudgetStore } from '../../packages/stores/src/index.ts';
import {
  migrate,
  PostgresBudgetStore,
  type PostgresClient,
} from '../../packages/stores/src/postgres/index.ts';
import { type NodeRedisClient, RedisBudgetStore } from '../../packages/stores/src/redis/index.ts';

/** Where the servers and files of a run are. */
export interface Places {
  readonly redis: number;
  readonly postgres: string;
  readonly file: string;
}

/** A store as it is measured. */
export interface Measured {
  /** Admits a call and settles it. */
  readonly pair: (id: string) => Promise<void>;
  /** What was settled, and what is held; `undefined` where no books are kept. */
  readonly books: () => Promise<readonly [spent: number, reserved: number] | undefined>;
  /** How often a server was asked so far; `undefined` where nobody counts. */
  readonly trips?: () => number;
  readonly close: () => Promise<void>;
}

/** What each call reserves and takes, in tokens. */
export const CALL = 7;
/** How many calls each process makes before it is measured. */
export const WARM_UP = 200;
const LIMIT = 2 ** 30;
const CONNECTIONS = 10;
/** A wait is measured, not given up. */
const PATIENT = { timeoutMs: 10_000 };

/** Everything that is measured: where its books are, and how to open it. */
export const STORES: Readonly<Record<string, (places: Places) => Promise<Measured>>> = {
  memory: async () => booksIn(new MemoryBudgetStore()),
  SQLite: async ({ file }) => {
    const store = new SqliteBudgetStore(file);
    return booksIn(store, () => store.close());
  },
  Redis: (places) => onRedis(places, false),
  'Redis with a replica': (places) => onReplicatedRedis(places, false),
  'Redis with leases': (places) => onRedis(places, true),
  'Redis with leases and a replica': (places) => onReplicatedRedis(places, true),
  PostgreSQL: (places) => onPostgres(places, false),
  'PostgreSQL with leases': (places) => onPostgres(places, true),
  'rate-limiter-flexible, memory': async () =>
    countedBy(new RateLimiterMemory({ points: LIMIT, duration: 3_600 })),
  'rate-limiter-flexible, Redis': async ({ redis }) => {
    const storeClient = await redisAt(redis);
    const limiter = new RateLimiterRedis({
      storeClient,
      points: LIMIT,
      duration: 3_600,
      useRedisPackage: true,
    });
    return countedBy(limiter, () => storeClient.destroy());
  },
  'rate-limiter-flexible, PostgreSQL': async ({ postgres }) => {
    const storeClient = new Pool({ connectionString: postgres, max: CONNECTIONS });
    const limiter = await new Promise<RateLimiterPostgres>((resolve, reject) => {
      const options = { storeClient, points: LIMIT, duration: 3_600, tableName: 'limits' };
      const made = new RateLimiterPostgres(options, (error) =>
        error ? reject(error) : resolve(made),
      );
    });
    return countedBy(limiter, () => storeClient.end());
  },
};

/** Those whose books no other process sees. */
export const OF_ONE_PROCESS: readonly string[] = ['memory', 'rate-limiter-flexible, memory'];

async function onRedis({ redis }: Places, lease: boolean): Promise<Measured> {
  const client = await redisAt(redis);
  let trips = 0;
  const counted: NodeRedisClient = {
    evalSha: (sha, options) => {
      trips++;
      return client.evalSha(sha, options);
    },
    eval: (script, options) => client.eval(script, options),
  };
  const store = new RedisBudgetStore(counted, { ...PATIENT, lease });
  return { ...measuredOn(store, client), trips: () => trips };
}

/** A replica has what each answer tells of. Its store takes no client that counts. */
async function onReplicatedRedis({ redis }: Places, lease: boolean): Promise<Measured> {
  const client = await redisAt(redis);
  return measuredOn(new RedisBudgetStore(client, { ...PATIENT, lease, replicas: 1 }), client);
}

function measuredOn(store: RedisBudgetStore, client: { destroy(): void }): Measured {
  return booksIn(store, async () => {
    await store.flush();
    store.close();
    client.destroy();
  });
}

async function onPostgres({ postgres }: Places, lease: boolean): Promise<Measured> {
  const pool = new Pool({ connectionString: postgres, max: CONNECTIONS });
  // What a server says to connections as it ends is an error to them.
  pool.on('error', () => {});
  await migrate(pool);
  let trips = 0;
  const counted: PostgresClient = {
    query: (text, values) => {
      trips++;
      return pool.query(text, values);
    },
  };
  const store = new PostgresBudgetStore(counted, { ...PATIENT, lease });
  const measured = booksIn(store, async () => {
    await store.flush();
    store.close();
    await pool.end();
  });
  return { ...measured, trips: () => trips };
}

function booksIn(store: BudgetStore, close: () => unknown = () => {}): Measured {
  const amount = { nanoUsd: 0, tokens: CALL };
  return {
    pair: async (id) => {
      const { isGranted } = await store.reserve(id, amount, { tokens: LIMIT });
      if (!isGranted) throw new Error(`${id} was refused`);
      await store.settle(id, amount);
    },
    books: async () => {
      const { spent, reserved } = await store.totals();
      return [spent.tokens, reserved.tokens];
    },
    close: async () => void (await close()),
  };
}

/** It keeps no reservations: what is admitted is counted, and settling gives back what was not used. */
function countedBy(limiter: RateLimiterAbstract, close: () => unknown = () => {}): Measured {
  return {
    pair: async () => {
      await limiter.consume('purse', CALL);
      await limiter.reward('purse', 1);
    },
    books: async () => undefined,
    close: async () => void (await close()),
  };
}

async function redisAt(port: number) {
  return createClient({ socket: { port, host: '127.0.0.1' }, disableOfflineQueue: true }).connect();
}
