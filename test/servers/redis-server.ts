import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { end, freePort, isInstalled, startProgram, type TestServer } from './program.ts';

/** Whether redis-server is here. */
export const HAS_REDIS: boolean = isInstalled('redis-server', '--version');

/** A Redis of a test. */
export interface RedisServer extends TestServer {
  readonly url: string;
  /** Starts it again at the same port with what it has kept, after `kill`. */
  restart(): Promise<void>;
  /** Ends it and removes its files. */
  stop(): Promise<void>;
}

/** Starts a Redis in a directory of its own. It keeps what it has acknowledged also when it is killed. */
export async function startRedis(...options: readonly string[]): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), 'teamfuse-redis-'));
  const port = await freePort();
  const kept = ['--dir', folder, '--save', '', '--appendonly', 'yes', '--appendfsync', 'always'];
  const place = ['--bind', '127.0.0.1', '--port', String(port), '--maxmemory-policy', 'noeviction'];
  const command = ['redis-server', ...place, ...kept, ...options];
  const start = () => startProgram(command, 'Ready to accept connections', { cwd: folder });
  let child = await start();
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    get pid() {
      return child.pid as number;
    },
    kill: () => end(child, 'SIGKILL'),
    restart: async () => {
      child = await start();
    },
    stop: async () => {
      await end(child, 'SIGTERM');
      // A process of its own may still be saving.
      rmSync(folder, { recursive: true, maxRetries: 5 });
    },
  };
}
