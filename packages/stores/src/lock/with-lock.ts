import { setTimeout as pause } from 'node:timers/promises';
import { LockedFileError } from '../errors.ts';
import { LockFile } from './lock-file.ts';

export { openPrivate } from './private-file.ts';

/** How long to wait for a lock. */
export interface LockOptions {
  /** Milliseconds to wait for other processes. */
  readonly timeoutMs: number;
  /** The age in milliseconds at which a lock counts as abandoned, even if its process lives. */
  readonly leftAfterMs: number;
}

const MAX_PAUSE_MS = 2;

/**
 * Runs `work` under an exclusive lock on a file, within this machine. The lock of a process that has died is taken over at once.
 * @throws {@link LockedFileError}
 */
export async function withLock<T>(
  file: string,
  options: LockOptions,
  work: () => Promise<T>,
): Promise<T> {
  const lock = new LockFile(lockOf(file), options.leftAfterMs);
  const isOver = deadline(options);
  try {
    while (!lock.take()) {
      if (isOver()) throw locked(file, options);
      await pause(randomPauseMs());
    }
    return await work();
  } finally {
    lock.release();
  }
}

/**
 * The same for synchronous work. The process blocks while it waits.
 * @throws {@link LockedFileError}
 */
export function withLockSync<T>(file: string, options: LockOptions, work: () => T): T {
  const lock = new LockFile(lockOf(file), options.leftAfterMs);
  const isOver = deadline(options);
  try {
    while (!lock.take()) {
      if (isOver()) throw locked(file, options);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, randomPauseMs());
    }
    return work();
  } finally {
    lock.release();
  }
}

function deadline({ timeoutMs }: LockOptions): () => boolean {
  const until = performance.now() + timeoutMs;
  return () => performance.now() >= until;
}

/** Spreads out the retries of waiting processes. */
function randomPauseMs(): number {
  return MAX_PAUSE_MS * Math.random();
}

function locked(file: string, { timeoutMs }: LockOptions): LockedFileError {
  const lock = lockOf(file);
  return new LockedFileError(file, [lock, `${lock}.takeover`], timeoutMs);
}

function lockOf(file: string): string {
  return `${file}.lock`;
}
