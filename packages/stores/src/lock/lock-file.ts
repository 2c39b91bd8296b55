import { randomUUID } from 'node:crypto';
import { linkSync, readdirSync, readFileSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';

interface Owner {
  readonly id: string;
  readonly pid: number;
  readonly host: string;
}

/** A lock that is there. It has no owner while it is being written, and after a process died in that moment. */
interface Held extends Partial<Owner> {
  readonly sinceMs: number;
}

/** Others who wait have to read whose it is. */
const MODE = 0o644;
/** As it may stand in the name of a file. */
const HOST = encodeURIComponent(hostname());
/** Errors of file systems that have no hard links. */
const WITHOUT_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];
export const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
/** The end of a draft's name: it says whose the draft is before anything is written into it. */
const OF_OWNER = new RegExp(String.raw`^\.(${UUID})\.(\d+)\.([^/]+)$`);
/** The locks beside which this process has looked for drafts of others. */
const tidied = new Set<string>();
const MAX_TIDIED = 1000;

/** Attempts to lock a file. A lock whose process has died, or that is too old, is taken over. */
export class LockFile {
  readonly #path: string;
  readonly #leftAfterMs: number;
  /** What a lock of ours holds. */
  readonly #owner: string;
  /** A file with that content, to be linked. */
  readonly #draft: string;
  #hasDraft = false;

  /** `leftAfterMs` is the age at which a lock counts as abandoned, even if its process id is in use again. */
  constructor(path: string, leftAfterMs: number) {
    this.#path = path;
    this.#leftAfterMs = leftAfterMs;
    const owner: Owner = { id: randomUUID(), pid: process.pid, host: HOST };
    this.#owner = JSON.stringify(owner);
    this.#draft = `${path}.${owner.id}.${owner.pid}.${HOST}`;
  }

  /** Whether the lock is ours now. */
  take(): boolean {
    const isOurs = this.#create(this.#path);
    if (isOurs) {
      this.#removeDraft();
      this.#tidy();
    } else this.#removeIfLeft(this.#path);
    return isOurs;
  }

  /** Unlocks the file if the lock is ours. Another process may have taken it over. */
  release(): void {
    if (textAt(this.#path) === this.#owner) remove(this.#path);
    this.#removeDraft();
  }

  #removeDraft(): void {
    if (this.#hasDraft) remove(this.#draft);
    this.#hasDraft = false;
  }

  /** A link appears with its content: a process that dies while it locks leaves no lock without an owner. */
  #create(path: string): boolean {
    const isWritten = this.#hasDraft;
    // A full disk takes the name of a draft without its content.
    this.#hasDraft = true;
    if (!isWritten) writeFileSync(this.#draft, this.#owner, { mode: MODE });
    try {
      linkSync(this.#draft, path);
      return true;
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST') return false;
      if (!WITHOUT_LINKS.includes(code)) throw error;
      return this.#write(path);
    }
  }

  #write(path: string): boolean {
    try {
      writeFileSync(path, this.#owner, { mode: MODE, flag: 'wx' });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    }
  }

  /**
   * Only one process at a time may remove an abandoned lock: a second one would remove the next owner's lock. So the removal has
   * its own lock, which can be abandoned as well.
   */
  #removeIfLeft(path: string): void {
    const before = heldAt(path);
    if (before === undefined || !this.#isLeft(before)) return;
    const takeover = `${path}.takeover`;
    if (!this.#create(takeover)) {
      this.#removeIfLeft(takeover);
      return;
    }
    try {
      const now = heldAt(path);
      if (now !== undefined && now.id === before.id && this.#isLeft(now)) remove(path);
    } finally {
      remove(takeover);
    }
  }

  /** Removes drafts of processes that were killed while they waited. Once for each lock: it takes a look at the whole folder. */
  #tidy(): void {
    if (tidied.has(this.#path)) return;
    if (tidied.size >= MAX_TIDIED) tidied.clear();
    tidied.add(this.#path);
    const folder = dirname(this.#path);
    for (const name of namesLike(basename(this.#path), OF_OWNER, folder)) {
      const draft = join(folder, name);
      const stats = statSync(draft, { throwIfNoEntry: false });
      const owner = ownerNamed(name.slice(basename(this.#path).length));
      if (stats && this.#isLeft({ ...owner, sinceMs: stats.mtimeMs })) remove(draft);
    }
  }

  #isLeft(held: Held): boolean {
    return Date.now() - held.sinceMs > this.#leftAfterMs || isDead(held);
  }
}

/** The files of a folder with this beginning and an end like that. None where it cannot be read. */
export function namesLike(beginning: string, end: RegExp, folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter(
      (name) => name.startsWith(beginning) && end.test(name.slice(beginning.length)),
    );
  } catch {
    return [];
  }
}

function ownerNamed(end: string): Partial<Owner> {
  const [, id = '', pid, host = ''] = OF_OWNER.exec(end) ?? [];
  return { id, pid: Number(pid), host };
}

function heldAt(path: string): Held | undefined {
  const text = textAt(path);
  const stats = statSync(path, { throwIfNoEntry: false });
  return text === undefined || stats === undefined
    ? undefined
    : { ...ownerIn(text), sinceMs: stats.mtimeMs };
}

function textAt(path: string): string | undefined {
  return unlessGone(() => readFileSync(path, 'utf8'));
}

function remove(path: string): void {
  unlessGone(() => unlinkSync(path));
}

function unlessGone<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
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

function isDead({ pid, host }: Held): boolean {
  if (host !== HOST || pid === undefined || !Number.isSafeInteger(pid)) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
