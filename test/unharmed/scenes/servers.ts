import { setTimeout as pause } from 'node:timers/promises';
import { Client, Pool } from 'pg';
import { createClient } from 'redis';
import type { BudgetStore } from '../../../packages/core/src/index.ts';
import {
  type CircuitStore,
  type ConversationStore,
  runInConversation,
  shared,
} from '../../../packages/stores/src/fleet/index.ts';
import {
  migrate,
  PostgresBudgetStore,
  PostgresCircuitStore,
  PostgresConversationStore,
} from '../../../packages/stores/src/postgres/index.ts';
import {
  RedisBudgetStore,
  RedisCircuitStore,
  RedisConversationStore,
} from '../../../packages/stores/src/redis/index.ts';
import { startPostgres } from '../../servers/postgres-server.ts';
import type { TestServer } from '../../servers/program.ts';
import { startRedis } from '../../servers/redis-server.ts';
import { breakerOf, heard, type Scenes, type Tell } from '../scene.ts';

const CALL = { kind: 'model-request', agent: 'ann', model: 'm', inputTokens: 10 } as const;
const IMPATIENT = { timeoutMs: 30, attempts: 1 };
/** Longer than a store leaves a lost server alone. */
const AWHILE_MS = 300;

interface Stores {
  readonly budgets: BudgetStore & { close(): void; flush(): Promise<void> };
  readonly circuits: CircuitStore & { close(): void };
  readonly conversations: ConversationStore;
}

/** Two processes' worth of work while a server answers, stands still, and is gone, until everything is closed. */
async function outlive(server: TestServer, stores: Stores, tell: Tell): Promise<void> {
  const { budgets: store, circuits, conversations } = stores;
  const breaker = breakerOf(
    { budget: { maxTokens: 100_000, store }, circuits: shared(circuits) },
    tell,
  );
  const chat = breaker.conversation('a chat');
  const work = async (): Promise<void> => {
    await heard(
      chat.run(CALL, () => ({ usage: { inputTokens: 10, outputTokens: 5 } })),
      tell,
    );
    chat.trackCost(0.01);
    chat.stop('enough');
    chat.reset();
    await runInConversation(breaker, { store: conversations, id: 'a chat' }, () => 'an answer');
  };
  for (let call = 0; call < 20; call++) await work();
  process.kill(server.pid, 'SIGSTOP');
  // For heart-beats, renewals and polls, while nobody asks for anything.
  await pause(AWHILE_MS);
  await work();
  const late = work();
  await server.kill();
  await late;
  await work();
  await pause(AWHILE_MS);
  const flushed = heard(store.flush(), tell);
  store.close();
  circuits.close();
  await flushed;
}

/** What fails with a server. It stands still, and is gone then. */
export const REDIS: Scenes = {
  'a Redis, and the onError of its store': {
    told: 'caller',
    play: async (fault, tell) => {
      const server = await startRedis();
      const clients = [1, 2].map(() =>
        createClient({ url: server.url, disableOfflineQueue: true }),
      );
      for (const client of clients) await client.on('error', () => {}).connect();
      const [client, subscriber] = clients as [(typeof clients)[0], (typeof clients)[0]];
      const settings = { ...IMPATIENT, lease: true, onError: fault.fail, reservationMs: 300 };
      const stores = {
        budgets: new RedisBudgetStore(client, settings),
        circuits: new RedisCircuitStore(client, { timeoutMs: 30, pollMs: 50, subscriber }),
        conversations: new RedisConversationStore(client, { timeoutMs: 30 }),
      };
      await outlive(server, stores, tell);
      for (const one of clients) one.destroy();
      await server.stop();
    },
  },
};

export const POSTGRES: Scenes = {
  'a PostgreSQL, and the onError of its store': {
    told: 'caller',
    isOwnWay: true,
    play: async (fault, tell) => {
      const server = await startPostgres();
      const pool = new Pool({ connectionString: server.url, max: 3 });
      pool.on('error', () => {});
      const subscriber = new Client({ connectionString: server.url });
      subscriber.on('error', () => {});
      await subscriber.connect();
      await migrate(pool);
      const settings = { ...IMPATIENT, lease: true, onError: fault.fail, reservationMs: 300 };
      const stores = {
        budgets: new PostgresBudgetStore(pool, settings),
        circuits: new PostgresCircuitStore(pool, { timeoutMs: 30, pollMs: 50, subscriber }),
        conversations: new PostgresConversationStore(pool, { timeoutMs: 30 }),
      };
      await outlive(server, stores, tell);
      await Promise.allSettled([pool.end(), subscriber.end()]);
      await server.stop();
    },
  },
};
