import { closeSync, openSync, rmSync } from 'node:fs';

/** A lock is held for one line. One that stays for so long was left behind by a process that was killed. */
const LEFT_AFTER_MS = 1_000;
const RETRY_MS = 1;
const MODE = 0o600;

/**
 * Runs `work` while nobody else does so with the same file, in this or in another process. Where no lock can be made, it
 * runs all the same: what is wrong there shows with the file itself.
 */
export function withLock<T>(file: string, work: () => T): T {
  const lock = `${file}.lock`;
  const isLocked = take(lock);
  try {
    return work();
  } finally {
    if (isLocked) rmSync(lock, { force: true });
  }
}

function take(lock: string): boolean {
  const until = performance.now() + LEFT_AFTER_MS;
  for (;;) {
    try {
      closeSync(openSync(lock, 'wx', MODE));
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false;
    }
    if (performance.now() >= until) rmSync(lock, { force: true });
    else pause(RETRY_MS);
  }
}

/** Lines are written at once, so the wait for another process cannot be a promise. */
function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
