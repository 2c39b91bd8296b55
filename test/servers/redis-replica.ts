import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from 'redis';
import { type RedisServer, startRedis } from './redis-server.ts';

/** A primary would wait five seconds for more replicas before it sends its data to one. */
export const AT_ONCE: readonly string[] = ['--repl-diskless-sync-delay', '0'];

/** Starts a replica of the Redis at a port of this machine, and waits until it has all that is there. */
export async function startReplicaOf(
  port: number,
  ...options: readonly string[]
): Promise<RedisServer> {
  const replica = await startRedis('--replicaof', `127.0.0.1 ${port}`, ...AT_ONCE, ...options);
  while (!(await asked(replica.url, ['INFO', 'replication'])).includes('master_link_status:up'))
    await pause(20);
  return replica;
}

/** Sends a command over a connection of its own. */
export async function asked(url: string, command: string[]): Promise<string> {
  const client = await createClient({ url }).connect();
  const answer = await client.sendCommand(command);
  client.destroy();
  return String(answer);
}
