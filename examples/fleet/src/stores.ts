import { RedisBudgetStore, RedisCircuitStore } from '@teamfuse/stores/redis';
import { createClient } from 'redis';

/** The purse of the fleet, in tokens. */
export const MAX_TOKENS = 60_000;

/** What a process of the fleet shares with the others. */
export interface Stores {
  readonly budget: RedisBudgetStore;
  readonly circuits: RedisCircuitStore;
  readonly close: () => void;
}

/** Connects to what the fleet shares. What a process that is gone has reserved is free again after five seconds. */
export async function openStores(port: number): Promise<Stores> {
  const client = createClient({ url: `redis://127.0.0.1:${port}`, disableOfflineQueue: true });
  const subscriber = client.duplicate();
  for (const one of [client, subscriber]) {
    one.on('error', (error) => console.error(error));
    await one.connect();
  }
  const budget = new RedisBudgetStore(client, { budget: 'fleet', reservationMs: 5_000 });
  const circuits = new RedisCircuitStore(client, { fleet: 'fleet', subscriber });
  const close = (): void => {
    budget.close();
    client.destroy();
    subscriber.destroy();
  };
  return { budget, circuits, close };
}
