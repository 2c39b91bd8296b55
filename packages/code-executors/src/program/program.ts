import { constants } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { execa } from 'execa';
import { onExit } from 'signal-exit';
import { BoundedOutput } from '../bounded-output.ts';
import type { Enclosure } from './enclosure.ts';
import { findProgram } from './find-program.ts';
import { type CommandLine, limited, type ProgramLimits } from './limits.ts';

/** A program to run, and how far it may go. */
export interface ProgramOptions {
  readonly command: CommandLine;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  /** Enforced by the system and by polling; none where the runner enforces them. */
  readonly limits: ProgramLimits | undefined;
  readonly signal: AbortSignal;
  /** Holds the processes; it is ended when the program is over. */
  readonly enclosure: Enclosure;
  /** Asked again and again, and once the program is over; what it names ends the program. */
  readonly exceeded: (isOver: boolean) => Promise<string | undefined>;
}

/** How a program ended; `output` is its standard error, then its standard output. */
export type ProgramEnd =
  | { readonly kind: 'exited'; readonly exitCode: number; readonly output: string }
  | { readonly kind: 'timed-out'; readonly output: string }
  | { readonly kind: 'cancelled'; readonly output: string }
  | { readonly kind: 'over-limit'; readonly output: string; readonly limit: string }
  | { readonly kind: 'not-started'; readonly message: string };

// How long what a finished program left in the background may still write, such as a `tee` that flushes.
const LINGER_MS = 250;
// A killed process that waits for a broken disk may never go.
const GONE_MS = 5_000;
const WATCH_MS = 250;
const isPosix = process.platform !== 'win32';

/** Runs a program in an enclosure and ends everything in it when the program is over. */
export async function runProgram(options: ProgramOptions): Promise<ProgramEnd> {
  const { enclosure, env } = options;
  const program = isPosix ? findProgram(options.command[0], env.PATH) : options.command[0];
  const stdout = new BoundedOutput(options.maxOutputBytes);
  const stderr = new BoundedOutput(options.maxOutputBytes);
  const overLimit = new AbortController();
  let subprocess: Subprocess | undefined;
  // A detached program would otherwise outlive its host and its time limit.
  const forget = onExit(() => enclosure.end(subprocess?.pid));
  try {
    if (program === undefined) {
      return { kind: 'not-started', message: `spawn ${options.command[0]} ENOENT` };
    }
    subprocess = start(options, program, overLimit.signal);
    subprocess.stdout.on('data', (chunk: Buffer) => stdout.append(chunk));
    subprocess.stderr.on('data', (chunk: Buffer) => stderr.append(chunk));
    const ended = endOfAll(subprocess, enclosure);
    const [result] = await Promise.all([subprocess, ended, watch(options, overLimit, ended)]);
    const limit = overLimit.signal.aborted
      ? String(overLimit.signal.reason)
      : await options.exceeded(true);
    const output = stderr.text() + stdout.text();
    if (limit !== undefined) return { kind: 'over-limit', output, limit };
    if (result.timedOut) return { kind: 'timed-out', output };
    if (result.isCanceled) return { kind: 'cancelled', output };
    if (result.signal !== undefined) {
      return { kind: 'exited', exitCode: -constants.signals[result.signal], output };
    }
    if (result.exitCode !== undefined) return { kind: 'exited', exitCode: result.exitCode, output };
    return { kind: 'not-started', message: result.originalMessage ?? 'it could not be started' };
  } finally {
    enclosure.end(subprocess?.pid);
    forget();
  }
}

type Subprocess = ReturnType<typeof start>;

function start(options: ProgramOptions, program: string, overLimit: AbortSignal) {
  const { command, cwd, env, timeoutMs, signal, enclosure, limits } = options;
  const inside = enclosure.enter([program, ...command.slice(1)], cwd);
  const [file, ...args] = limits ? limited(inside, limits, enclosure.isNamespace) : inside;
  return execa(file, args, {
    buffer: false,
    reject: false,
    // A program that asks for input reads the end of the file instead of waiting forever.
    stdin: 'ignore',
    cwd,
    env: { ...env, ...enclosure.env },
    extendEnv: false,
    detached: isPosix,
    timeout: timeoutMs,
    cancelSignal: AbortSignal.any([signal, overLimit]),
    killSignal: 'SIGKILL',
  });
}

/** Asks now and then whether the program has taken too much. */
async function watch(
  { enclosure, limits, exceeded }: ProgramOptions,
  overLimit: AbortController,
  ended: Promise<void>,
): Promise<void> {
  const over = new AbortController();
  const stop = ended.finally(() => over.abort());
  while (limits && !over.signal.aborted && !overLimit.signal.aborted) {
    await delay(WATCH_MS, undefined, { signal: over.signal }).catch(() => undefined);
    if (over.signal.aborted) break;
    const count = enclosure.countProcesses();
    const limit =
      count > limits.maxProcesses
        ? `more than ${limits.maxProcesses} processes`
        : await exceeded(false);
    if (limit !== undefined) overLimit.abort(limit);
  }
  await stop;
}

/** Kills what is left once the program is over, so that no process holds the pipes. */
async function endOfAll(subprocess: Subprocess, enclosure: Enclosure): Promise<void> {
  if (subprocess.pid === undefined) return;
  await new Promise((resolve) => subprocess.once('exit', resolve));
  if (!subprocess.killed) await pipesClosed(subprocess);
  enclosure.end(subprocess.pid);
  await atMost(GONE_MS, enclosure.gone());
  await pipesClosed(subprocess);
  subprocess.stdout.destroy();
  subprocess.stderr.destroy();
}

async function pipesClosed({ stdout, stderr }: Subprocess): Promise<void> {
  const closed = [stdout, stderr].map(
    (stream) => stream.closed || new Promise((resolve) => stream.once('close', resolve)),
  );
  await atMost(LINGER_MS, Promise.all(closed));
}

/** Waits for `work` for so long. Meanwhile this process does not end by itself, though it waits for nothing else. */
async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  const waiting = new AbortController();
  await Promise.race([work, delay(ms, undefined, { signal: waiting.signal }).catch(() => {})]);
  waiting.abort();
}
