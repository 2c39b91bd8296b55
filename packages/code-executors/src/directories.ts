import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { CodeExecutorError } from './errors.ts';

/** Where an executor's programs run, and what they may use as their own. */
export interface OpenDirectories {
  readonly work: string;
  readonly home: string;
  readonly temporary: string;
}

/** The directories of one executor: made when they are first needed, removed when it is closed. */
export class Directories {
  readonly #given: string | undefined;
  #temporary: Promise<string> | undefined;
  #isClosed = false;

  constructor(given: string | undefined) {
    this.#given = given === undefined ? undefined : resolve(given);
  }

  /** @throws {@link CodeExecutorError} once they are closed */
  throwIfClosed(): void {
    if (!this.#isClosed) return;
    throw new CodeExecutorError('CLOSED', 'the code executor is closed and runs nothing more');
  }

  async open(): Promise<OpenDirectories> {
    this.throwIfClosed();
    this.#temporary ??= mkdtemp(join(tmpdir(), 'teamfuse-'));
    const root = await this.#temporary;
    const open = {
      work: this.#given ?? join(root, 'work'),
      home: join(root, 'home'),
      temporary: join(root, 'tmp'),
    };
    await Promise.all(Object.values(open).map((path) => mkdir(path, { recursive: true })));
    return open;
  }

  /** Nothing is opened from now on. */
  close(): void {
    this.#isClosed = true;
  }

  /** Removes the temporary ones; what a program made unremovable stays. */
  async remove(): Promise<void> {
    const root = await this.#temporary?.catch(() => undefined);
    if (root === undefined) return;
    await rm(root, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
  }
}
