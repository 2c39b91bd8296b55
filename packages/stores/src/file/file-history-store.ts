import { randomUUID } from 'node:crypto';
import { mkdir, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { checkNames, type OptionNames } from '@teamfuse/core/options';
import { CorruptFileError } from '../errors.ts';
import type { HistoryStore } from '../history/history-store.ts';
import { parseRunRecord } from '../history/parse-run-record.ts';
import type { RunRecord } from '../history/run-record.ts';
import { readPrivate } from '../lock/private-file.ts';
import { withLock } from '../lock/with-lock.ts';
import { atLeast, path } from '../options.ts';
import { replaceFile } from './replace-file.ts';

/** Options of {@link FileHistoryStore}. */
export interface FileHistoryStoreOptions {
  /**
   * Most records of all tasks together; the oldest are forgotten.
   * @defaultValue 1_000
   */
  readonly maxRuns?: number;
  /**
   * Milliseconds to wait for other processes that write.
   * @defaultValue 5_000
   */
  readonly lockTimeoutMs?: number;
}

const NAMES: OptionNames<FileHistoryStoreOptions> = { maxRuns: true, lockTimeoutMs: true };
const VERSION = 1;
/** A lock is held for one write. An older one was left behind, or its process is suspended. */
const LEFT_AFTER_MS = 60_000;

/**
 * Keeps how runs ended in a JSON file that processes on one machine may share.
 *
 * A file that cannot be read is moved aside unchanged and reported as a {@link CorruptFileError}; then a new file begins.
 */
export class FileHistoryStore implements HistoryStore {
  readonly #file: string;
  readonly #maxRuns: number;
  readonly #lockTimeoutMs: number;

  /** @throws {@link InvalidOptionError} naming the option, the expected and the received value. */
  constructor(file: string, options: FileHistoryStoreOptions = {}) {
    checkNames('', options, NAMES);
    const { maxRuns = 1_000, lockTimeoutMs = 5_000 } = options;
    this.#file = path(file);
    this.#maxRuns = atLeast('maxRuns', maxRuns, 1);
    this.#lockTimeoutMs = atLeast('lockTimeoutMs', lockTimeoutMs, 0);
  }

  /**
   * @throws {@link InvalidSnapshotError} naming the wrong field of the record, which is not kept.
   * @throws {@link CorruptFileError} or {@link LockedFileError}.
   */
  async append(record: RunRecord): Promise<void> {
    const checked = parseRunRecord('record', record);
    await this.#change((runs) => [...runs, checked].slice(-this.#maxRuns));
  }

  /** @throws {@link CorruptFileError} or {@link LockedFileError}. */
  async latest(task: string, count: number): Promise<readonly RunRecord[]> {
    const runs = await this.#locked(() => this.#read());
    const own = runs.filter((run) => run.task === task);
    return own.slice(Math.max(0, own.length - count)).reverse();
  }

  /** @throws {@link CorruptFileError} or {@link LockedFileError}. */
  clear(task: string): Promise<void> {
    return this.#change((runs) => runs.filter((run) => run.task !== task));
  }

  #change(change: (runs: readonly RunRecord[]) => readonly RunRecord[]): Promise<void> {
    return this.#locked(async () => {
      const runs = change(await this.#read());
      await replaceFile(this.#file, `${JSON.stringify({ version: VERSION, runs })}\n`);
    });
  }

  async #locked<T>(work: () => Promise<T>): Promise<T> {
    const options = { timeoutMs: this.#lockTimeoutMs, leftAfterMs: LEFT_AFTER_MS };
    await mkdir(dirname(this.#file), { recursive: true });
    return withLock(this.#file, options, work);
  }

  async #read(): Promise<readonly RunRecord[]> {
    let text: string;
    try {
      text = readPrivate(this.#file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
    try {
      return parse(text);
    } catch (error) {
      const keptAs = `${this.#file}.corrupt-${randomUUID()}`;
      await rename(this.#file, keptAs);
      throw new CorruptFileError(this.#file, keptAs, (error as Error).message, { cause: error });
    }
  }
}

function parse(text: string): readonly RunRecord[] {
  const { version, runs } = Object(JSON.parse(text));
  if (version !== VERSION) throw new Error(`version: expected ${VERSION}, received ${version}`);
  if (!Array.isArray(runs)) throw new Error('runs: expected an array');
  return runs.map((run, i) => parseRunRecord(`runs[${i}]`, run));
}
