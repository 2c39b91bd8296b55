import { randomUUID } from 'node:crypto';
import { inBackground } from '@teamfuse/core/kit';
import { RedisBudgetStore, RedisCircuitStore } from '@teamfuse/stores/redis';
import { CONNECT_MS, type Connection, given } from './connection.ts';
import { loadClient } from './load-client.ts';

const MAX_PAUSE_MS = 2_000;
/** Where the secret is that all gateways hash keys with. The first one makes it up. */
const SALT = 'teamfuse:gateway-salt';

/** Connects to Redis or Valkey. Rejects with what the client says. */
export async function openRedis(url: string): Promise<Connection> {
  const { createClient } = await loadClient('redis', () => import('redis'));
  let isOpen = false;
  // A server that is away at the start is an error. One that goes away later is asked again.
  const reconnectStrategy = (retries: number): number | false =>
    isOpen && Math.min(50 * 2 ** retries, MAX_PAUSE_MS);
  const socket = { connectTimeout: CONNECT_MS, reconnectStrategy };
  const client = createClient({ url, disableOfflineQueue: true, socket });
  const subscriber = client.duplicate();
  const both = [client, subscriber];
  // The stores tell of a server that is lost.
  for (const one of both) one.on('error', () => {});
  const close = async (): Promise<void> => {
    for (const one of both) if (one.isOpen) one.destroy();
  };
  try {
    await client.connect();
    await subscriber.connect();
    isOpen = true;
    const keep = (salt: string) => client.set(SALT, salt, { condition: 'NX' });
    await keep(randomUUID());
    const salt = (await client.get(SALT)) ?? '';
    const keepSalt = (): void => inBackground(keep(salt), () => {});
    return {
      books: ({ budget, ...rest }) => new RedisBudgetStore(client, { budget, ...given(rest) }),
      fleet: {
        salt,
        keepSalt,
        circuits: (fleet) => new RedisCircuitStore(client, { fleet, subscriber }),
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
