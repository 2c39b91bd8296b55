import { spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';

/** Whether Redis is installed here. */
export function hasRedis(): boolean {
  return spawnSync('redis-server', ['--version'], { stdio: 'ignore' }).status === 0;
}

/** A Redis, which can stand still for a while. */
export interface Redis {
  readonly port: number;
  readonly standStill: () => void;
  readonly goOn: () => void;
  readonly stop: () => void;
}

/** Starts a Redis that keeps nothing on disk. */
export async function startRedis(...options: readonly string[]): Promise<Redis> {
  const port = await freePort();
  const place = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const child = spawn('redis-server', [...place, ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const send = (signal: NodeJS.Signals) => (): void => {
    child.kill(signal);
  };
  const ways = { standStill: send('SIGSTOP'), goOn: send('SIGCONT'), stop: send('SIGKILL') };
  for await (const line of createInterface(child.stdout)) {
    if (line.includes('Ready to accept connections')) return { port, ...ways };
  }
  throw new Error('redis-server did not start');
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = Object(server.address());
  await new Promise((resolve) => server.close(resolve));
  return port;
}
