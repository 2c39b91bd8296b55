import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** What a run of the command left behind. */
export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** The command as it was built. */
export const BIN: string = fileURLToPath(new URL('../../dist/bin.js', import.meta.url));

/** Starts the command as it was built. */
export function start(
  args: readonly string[],
  cwd?: string,
  env: NodeJS.ProcessEnv = process.env,
  node: string = process.execPath,
): ChildProcessWithoutNullStreams {
  return spawn(node, [BIN, ...args], { stdio: 'pipe', cwd, env });
}

/** Runs the command to its end. */
export async function teamfuse(args: readonly string[], input = '', cwd?: string): Promise<Ran> {
  const child = start(args, cwd);
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, out, err };
}
