import type { Outcome } from './kept.ts';
import { policyOf } from './policy.ts';
import type { FileOptions } from './replay-file.ts';
import type { ReplayJob } from './replay-job.ts';
import type { ThreadPool } from './threads/thread-pool.ts';

/** Replays under other settings what a replay has read. */
export class Rerun {
  readonly maxKept: number;
  readonly #job: ReplayJob;
  #pool: ThreadPool | undefined;
  #options: FileOptions | undefined;

  /** @param maxKept how many characters of recordings are kept. */
  constructor(job: ReplayJob, maxKept: number) {
    this.maxKept = maxKept;
    this.#job = job;
  }

  readBy(by: { pool: ThreadPool } | { options: FileOptions }): void {
    if ('pool' in by) this.#pool = by.pool;
    else this.#options = by.options;
  }

  /** What comes of all conversations; `undefined` if they were too much to be kept. */
  async outcomes(set: readonly string[]): Promise<readonly Outcome[] | undefined> {
    if (this.#pool !== undefined) return await this.#pool.outcomes(set);
    const options = this.#options;
    const policy = policyOf({ ...this.#job, set });
    return await options?.kept?.outcomes({ ...options, policy, rejected: () => {} });
  }

  async close(): Promise<void> {
    await this.#pool?.close();
    this.#pool = undefined;
    this.#options = undefined;
  }
}
