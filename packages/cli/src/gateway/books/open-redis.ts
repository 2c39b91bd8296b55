import { RedisBudgetStore } from '@teamfuse/store-redis';
import { CONNECT_MS, type Connection, given } from './connection.ts';
import { loadClient } from './load-client.ts';

const MAX_PAUSE_MS = 2_000;

/** Connects to Redis or Valkey. Rejects with what the client says. */
export async function openRedis(url: string): Promise<Connection> {
  const { createClient } = await loadClient('redis', () => import('redis'));
  let isOpen = false;
  // A server that is away at the start is an error. One that goes away later is asked again.
  const reconnectStrategy = (retries: number): number | false =>
    isOpen && Math.min(50 * 2 ** retries, MAX_PAUSE_MS);
  const socket = { connectTimeout: CONNECT_MS, reconnectStrategy };
  const client = createClient({ url, disableOfflineQueue: true, socket });
  // The stores tell of a server that is lost.
  client.on('error', () => {});
  await client.connect();
  isOpen = true;
  return {
    books: ({ budget, ...rest }) => new RedisBudgetStore(client, { budget, ...given(rest) }),
    close: async () => {
      if (client.isOpen) client.destroy();
    },
  };
}
