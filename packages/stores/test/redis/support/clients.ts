import { Redis } from 'ioredis';
import { Redis as Redis5 } from 'ioredis-5';
import { createClient } from 'redis';
import type { RedisClient } from '../../../src/redis/index.ts';

/** A client of a test, and how to close it. */
export interface Connected {
  readonly client: RedisClient;
  readonly close: () => unknown;
}

/** Connects a client to a port of this machine, without an offline queue. */
export type Connect = (port: number) => Promise<Connected>;

const ioOptions = {
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  lazyConnect: true,
} as const;

/** All clients that the store is made for. */
export const CLIENTS: Readonly<Record<string, Connect>> = {
  'redis 6': async (port) => {
    const client = createClient({ socket: { port, host: '127.0.0.1' }, disableOfflineQueue: true });
    client.on('error', () => {});
    await client.connect();
    return { client, close: () => client.destroy() };
  },
  'ioredis 6': async (port) => {
    const client = new Redis(port, '127.0.0.1', ioOptions);
    client.on('error', () => {});
    await client.connect();
    return { client, close: () => client.disconnect() };
  },
  'ioredis 5': async (port) => {
    const client = new Redis5(port, '127.0.0.1', ioOptions);
    client.on('error', () => {});
    await client.connect();
    return { client, close: () => client.disconnect() };
  },
};
