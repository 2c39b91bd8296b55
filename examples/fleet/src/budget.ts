import { RedisBudgetStore } from '@teamfuse/store-redis';
import { createClient } from 'redis';

/** The purse of the fleet, in tokens. */
export const MAX_TOKENS = 60_000;

/** Opens the books of the fleet. What a process that is gone has reserved is free again after five seconds. */
export async function openBooks(port: number): Promise<{
  readonly store: RedisBudgetStore;
  readonly close: () => void;
}> {
  const client = createClient({ url: `redis://127.0.0.1:${port}`, disableOfflineQueue: true });
  client.on('error', (error) => console.error(error));
  await client.connect();
  const store = new RedisBudgetStore(client, { budget: 'fleet', reservationMs: 5_000 });
  const close = (): void => {
    store.close();
    client.destroy();
  };
  return { store, close };
}
