import { spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';

/** Whether Redis is installed here. */
export function hasRedis(): boolean {
  return spawnSync('redis-server', ['--version'], { stdio: 'ignore' }).status === 0;
}

/** Starts a Redis that keeps nothing on disk. */
export async function startRedis(): Promise<{ readonly port: number; readonly stop: () => void }> {
  const port = await freePort();
  const args = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const child = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface(child.stdout)) {
    if (line.includes('Ready to accept connections')) return { port, stop: () => child.kill() };
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
