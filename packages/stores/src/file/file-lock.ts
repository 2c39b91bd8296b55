import { randomUUID } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { LockedFileError } from '../errors.ts';

const RETRY_MS = 5;

interface Owner {
  readonly id: string;
  readonly pid: number;
  readonly host: string;
}

/**
 * Runs `work` while no other process does so with the same file. The lock of a process that has died is taken over.
 * @throws {@link LockedFileError}
 */
export async function withLock<T>(
  file: string,
  timeoutMs: number,
  work: () => Promise<T>,
): Promise<T> {
  const lock = `${file}.lock`;
  const owner: Owner = { id: randomUUID(), pid: process.pid, host: hostname() };
  const until = Date.now() + timeoutMs;
  while (!(await create(lock, owner))) {
    if (Date.now() >= until) throw new LockedFileError(file, lock, timeoutMs);
    await takeOver(lock, owner);
    await pause(RETRY_MS * (1 + Math.random()));
  }
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}

/** A link comes with its content at once: a process that dies leaves no lock without an owner. */
async function create(lock: string, owner: Owner): Promise<boolean> {
  const draft = `${lock}.${owner.id}`;
  try {
    await writeFile(draft, JSON.stringify(owner), { mode: 0o600 });
    await link(draft, lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Removes the lock of a dead process. Only one may do so at a time, or it would remove the lock of the next one. */
async function takeOver(lock: string, owner: Owner): Promise<void> {
  const before = await ownerOf(lock);
  if (before === undefined || isAlive(before)) return;
  const claim = `${lock}.takeover`;
  if (!(await create(claim, owner))) return;
  try {
    const now = await ownerOf(lock);
    if (now?.id === before.id) await rm(lock, { force: true });
  } finally {
    await rm(claim, { force: true });
  }
}

async function ownerOf(lock: string): Promise<Owner | undefined> {
  try {
    const { id, pid, host } = JSON.parse(await readFile(lock, 'utf8'));
    return { id, pid, host };
  } catch {
    // It is gone.
    return undefined;
  }
}

function isAlive({ pid, host }: Owner): boolean {
  if (host !== hostname() || !Number.isSafeInteger(pid)) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
