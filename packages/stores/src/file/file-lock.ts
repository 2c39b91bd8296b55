import { randomUUID } from 'node:crypto';
import { link, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { LockedFileError } from '../errors.ts';

const RETRY_MS = 5;
/** A lock is held for one write. An older one was left behind, whoever has the number of its process now. */
const LEFT_AFTER_MS = 60_000;

interface Owner {
  readonly id: string;
  readonly pid: number;
  readonly host: string;
}

/** A lock that is there. It has no owner if it cannot be read. */
interface Held extends Partial<Owner> {
  readonly sinceMs: number;
}

/**
 * Runs `work` while no other process does so with the same file. The lock of a process that has died is taken over, and so
 * is one that is older than a minute.
 * @throws {@link LockedFileError}
 */
export async function withLock<T>(
  file: string,
  timeoutMs: number,
  work: () => Promise<T>,
): Promise<T> {
  const lock = `${file}.lock`;
  const claim = `${lock}.takeover`;
  const owner: Owner = { id: randomUUID(), pid: process.pid, host: hostname() };
  const until = Date.now() + timeoutMs;
  while (!(await create(lock, owner))) {
    if (Date.now() >= until) throw new LockedFileError(file, [lock, claim], timeoutMs);
    await takeOver(lock, claim, owner);
    await pause(RETRY_MS * (1 + Math.random()));
  }
  try {
    return await work();
  } finally {
    // Not the lock of somebody who has taken it over meanwhile.
    if ((await heldAt(lock))?.id === owner.id) await rm(lock, { force: true });
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

/** Removes a lock that was left behind. Only one may do so at a time, or it would remove the lock of the next one. */
async function takeOver(lock: string, claim: string, owner: Owner): Promise<void> {
  const before = await heldAt(lock);
  if (before === undefined || !isLeft(before)) return;
  if (!(await create(claim, owner))) {
    const other = await heldAt(claim);
    if (other !== undefined && isLeft(other)) await rm(claim, { force: true });
    return;
  }
  try {
    const now = await heldAt(lock);
    if (now !== undefined && now.id === before.id && isLeft(now)) await rm(lock, { force: true });
  } finally {
    await rm(claim, { force: true });
  }
}

async function heldAt(lock: string): Promise<Held | undefined> {
  try {
    const [text, { mtimeMs }] = await Promise.all([readFile(lock, 'utf8'), stat(lock)]);
    return { ...ownerIn(text), sinceMs: mtimeMs };
  } catch {
    // It is gone.
    return undefined;
  }
}

function ownerIn(text: string): Partial<Owner> {
  try {
    const { id, pid, host } = JSON.parse(text);
    return { id, pid, host };
  } catch {
    return {};
  }
}

function isLeft(held: Held): boolean {
  return Date.now() - held.sinceMs > LEFT_AFTER_MS || isDead(held);
}

function isDead({ pid, host }: Held): boolean {
  if (host !== hostname() || pid === undefined || !Number.isSafeInteger(pid)) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
