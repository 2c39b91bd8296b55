import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:net';

/** A server that a test has started. */
export interface TestServer {
  readonly port: number;
  readonly pid: number;
  /** Ends it at once, as when its machine goes down. */
  kill(): Promise<void>;
}

/** Whether a program can be started here. */
export function isInstalled(program: string, ...args: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}

/** A port of this machine that is free. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = Object(server.address());
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Starts a program, and waits until it has printed `ready`. */
export async function startProgram(
  command: readonly string[],
  ready: string,
  options: SpawnOptions = {},
): Promise<ChildProcess> {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  await new Promise<void>((resolve, reject) => {
    let printed = '';
    const read = (text: string): void => {
      printed += text;
      if (printed.includes(ready)) resolve();
    };
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', read);
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${program} ended with ${code}: ${printed}`)));
  });
  return child;
}

/** Ends a child, and waits until it has ended. */
export async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  // One that stands still does not end before it goes on.
  child.kill('SIGCONT');
  await exit;
}
