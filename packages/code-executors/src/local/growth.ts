import { lstat, opendir, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProgramLimits } from '../program/limits.ts';

/** Tells whether files made or changed since a moment are more than allowed. */
export class Growth {
  readonly #directories: readonly string[];
  readonly #limits: ProgramLimits;
  readonly #free: readonly (Free | undefined)[];
  readonly #sinceMs: number;

  private constructor(
    directories: readonly string[],
    limits: ProgramLimits,
    free: readonly (Free | undefined)[],
    sinceMs: number,
  ) {
    this.#directories = directories;
    this.#limits = limits;
    this.#free = free;
    this.#sinceMs = sinceMs;
  }

  /** Remembers how full the disks are now. The file system's own clock tells the moment, through `marker`. */
  static async start(
    directories: readonly string[],
    limits: ProgramLimits,
    marker: string,
  ): Promise<Growth> {
    const { ctimeMs } = await lstat(marker);
    return new Growth(directories, limits, await Promise.all(directories.map(free)), ctimeMs);
  }

  /** What is exceeded, in words; `undefined` when nothing is. While the program runs, that is a guess of the disk. */
  async exceeded(isOver: boolean): Promise<string | undefined> {
    for (const [at, directory] of this.#directories.entries()) {
      // Asking the disk costs nothing; until the end, files are counted only when it has lost that much. What others delete
      // meanwhile hides what it has lost.
      if (!isOver && !this.#isSuspect(this.#free[at], await free(directory))) continue;
      const found = await this.#count(directory);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #isSuspect(before: Free | undefined, now: Free | undefined): boolean {
    if (before === undefined || now === undefined) return true;
    const { maxFiles, maxFileBytes } = this.#limits;
    return (
      !now.countsFiles ||
      before.files - now.files >= maxFiles ||
      before.bytes - now.bytes >= maxFileBytes
    );
  }

  async #count(root: string): Promise<string | undefined> {
    const { maxFiles, maxFileBytes } = this.#limits;
    let files = 0;
    let bytes = 0;
    for await (const { ctimeMs, blocks } of entries(root)) {
      if (ctimeMs < this.#sinceMs) continue;
      files += 1;
      bytes += blocks * 512;
      if (files > maxFiles) return `more than ${maxFiles} files`;
      if (bytes > maxFileBytes) return `more than ${maxFileBytes} bytes of files`;
    }
    return undefined;
  }
}

interface Free {
  readonly files: number;
  readonly bytes: number;
  /** Some file systems do not tell how many files they have room for. */
  readonly countsFiles: boolean;
}

/** `undefined` if a program has removed the directory. */
async function free(directory: string): Promise<Free | undefined> {
  const found = await statfs(directory).catch(() => undefined);
  if (found === undefined) return undefined;
  const { files, ffree, bavail, bsize } = found;
  return { files: ffree, bytes: bavail * bsize, countsFiles: files > 0 };
}

async function* entries(directory: string): AsyncGenerator<{ ctimeMs: number; blocks: number }> {
  const waiting = [directory];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    try {
      for await (const entry of await opendir(next)) {
        const path = join(next, entry.name);
        yield await lstat(path);
        if (entry.isDirectory()) waiting.push(path);
      }
    } catch {
      // It was removed meanwhile, or cannot be read: what is in it is not counted.
    }
  }
}
