import { constants } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { execa } from 'execa';
import { onExit } from 'signal-exit';
import { BoundedOutput } from './bounded-output.ts';

/** A program to run, and how far it may go. */
export interface ProgramOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  readonly signal: AbortSignal;
}

/** How a program ended; `output` is its standard error, then its standard output. */
export type ProgramEnd =
  | { readonly kind: 'exited'; readonly exitCode: number; readonly output: string }
  | { readonly kind: 'timed-out'; readonly output: string }
  | { readonly kind: 'cancelled'; readonly output: string }
  | { readonly kind: 'not-started'; readonly message: string };

// How long what a finished program left in the background may still write, such as a `tee` that flushes.
const LINGER_MS = 250;
const isPosix = process.platform !== 'win32';

/** Runs a program in a process group of its own and ends the whole group when the program is over. */
export async function runProgram(options: ProgramOptions): Promise<ProgramEnd> {
  const stdout = new BoundedOutput(options.maxOutputBytes);
  const stderr = new BoundedOutput(options.maxOutputBytes);
  let subprocess: Subprocess | undefined;
  // A detached program would otherwise outlive its host, with nobody left to time it out.
  const forget = onExit(() => killGroup(subprocess?.pid));
  try {
    subprocess = start(options);
    subprocess.stdout.on('data', (chunk: Buffer) => stdout.append(chunk));
    subprocess.stderr.on('data', (chunk: Buffer) => stderr.append(chunk));
    const [result] = await Promise.all([subprocess, endOfGroup(subprocess)]);
    const output = stderr.text() + stdout.text();
    if (result.timedOut) return { kind: 'timed-out', output };
    if (result.isCanceled) return { kind: 'cancelled', output };
    if (result.signal !== undefined) {
      return { kind: 'exited', exitCode: -constants.signals[result.signal], output };
    }
    if (result.exitCode !== undefined) return { kind: 'exited', exitCode: result.exitCode, output };
    return { kind: 'not-started', message: result.originalMessage ?? 'it could not be started' };
  } finally {
    forget();
  }
}

type Subprocess = ReturnType<typeof start>;

function start({ command, args, cwd, env, timeoutMs, signal }: ProgramOptions) {
  return execa(command, args, {
    buffer: false,
    reject: false,
    // A program that asks for input reads the end of the file, and does not wait for ever.
    stdin: 'ignore',
    cwd,
    env,
    extendEnv: false,
    detached: isPosix,
    timeout: timeoutMs,
    cancelSignal: signal,
    killSignal: 'SIGKILL',
  });
}

/** Ends what is left of the group once the program is over, so that nobody holds the pipes. */
async function endOfGroup(subprocess: Subprocess): Promise<void> {
  if (subprocess.pid === undefined) return;
  await new Promise((resolve) => subprocess.once('exit', resolve));
  if (!subprocess.killed) await pipesClosed(subprocess);
  killGroup(subprocess.pid);
  await pipesClosed(subprocess);
  subprocess.stdout.destroy();
  subprocess.stderr.destroy();
}

async function pipesClosed({ stdout, stderr }: Subprocess): Promise<void> {
  const waiting = new AbortController();
  const closed = [stdout, stderr].map(
    (stream) => stream.closed || new Promise((resolve) => stream.once('close', resolve)),
  );
  await Promise.race([
    Promise.all(closed),
    delay(LINGER_MS, undefined, { signal: waiting.signal }).catch(() => undefined),
  ]);
  waiting.abort();
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(isPosix ? -pid : pid, 'SIGKILL');
  } catch {
    // The group is already gone, which is what was wanted.
  }
}
