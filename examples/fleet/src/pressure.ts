import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Breaker } from '@teamfuse/core';
import { RedisBudgetStore, type RedisBudgetStoreOptions } from '@teamfuse/stores/redis';
import { createClient } from 'redis';
import { mountDisk } from './disk.ts';
import { startRedis } from './redis.ts';

const CALLS = 100;
const CALL_TOKENS = 7;
const BOOKS = 'teamfuse:{pressed}:books';

/** What came of a process whose stores were in trouble. */
export interface Pressed {
  /** The tokens that its calls took, and those in the books at the end. */
  readonly served: number;
  readonly booked: number;
  /** The errors that it was told, by their codes. */
  readonly told: string;
}

/** Redis stands still while the disk of the journal is full. `undefined` where no disk can be mounted. */
export async function fillDisk(): Promise<Pressed | undefined> {
  const disk = mountDisk();
  if (disk === undefined) return undefined;
  const redis = await startRedis();
  const journalFile = join(disk.folder, 'journal');
  const { make, end } = await begin(redis.port, { journalFile, failMode: 'open' });
  try {
    await make(CALLS);
    redis.standStill();
    disk.fill();
    await make(CALLS);
    redis.goOn();
    return await end();
  } finally {
    redis.stop();
    disk.remove();
  }
}

/** A Redis with too little memory evicts the books, and all that was spent is in them again. */
export async function evictBooks(): Promise<Pressed> {
  const redis = await startRedis('--maxmemory', '3mb', '--maxmemory-policy', 'allkeys-lru');
  const { client, make, end } = await begin(redis.port, {});
  try {
    await make(CALLS);
    for (let i = 0; (await client.exists(BOOKS)) > 0; i++) {
      await client.set(`of others ${i}`, 'x'.repeat(1_000));
    }
    await make(CALLS);
    return await end();
  } finally {
    redis.stop();
  }
}

/** A process of its own, so to say: a breaker with a store, and what it is told. */
async function begin(port: number, options: RedisBudgetStoreOptions) {
  const client = createClient({ url: `redis://127.0.0.1:${port}`, disableOfflineQueue: true });
  client.on('error', () => {});
  await client.connect();
  const told: string[] = [];
  const store = new RedisBudgetStore(client, {
    ...options,
    budget: 'pressed',
    timeoutMs: 100,
    onError: (error) => told.push(String(Object(error).code)),
  });
  const breaker = new Breaker({ judge: false, budget: { maxTokens: 100_000, store } });
  let served = 0;
  const usage = { inputTokens: CALL_TOKENS - 1, outputTokens: 1 };
  const make = async (calls: number): Promise<void> => {
    for (let i = 0; i < calls; i++, served += CALL_TOKENS) {
      const request = {
        kind: 'model-request',
        agent: 'ann',
        model: 'm',
        maxOutputTokens: 1,
      } as const;
      const report = () => ({ ...request, ...usage, kind: 'usage', at: Date.now() }) as const;
      await breaker.run(request, async () => `answer ${i}`, { report });
    }
  };
  const end = async (): Promise<Pressed> => {
    while (store.unsettled > 0) {
      await store.flush().catch(() => {});
      await pause(20);
    }
    const { spent } = await store.totals();
    store.close();
    client.destroy();
    return { served, booked: spent.tokens, told: told.join(', ') };
  };
  return { client, make, end };
}
