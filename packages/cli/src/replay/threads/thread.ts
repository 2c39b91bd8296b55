import { parentPort, workerData } from 'node:worker_threads';
import type { FileEvent } from '../file-event.ts';
import type { Part } from '../parts.ts';
import { policyOf } from '../policy.ts';
import { type FileOptions, replayPart } from '../replay-file.ts';
import { type ReplayJob, toFileOptions } from '../replay-job.ts';
import { Bell } from './bell.ts';
import { type FromThread, MAX_WAITING, type ToThread } from './thread-pool.ts';

const BATCH = 32;

/** Reads the parts that it is given, one after another, and never runs far ahead of who takes the events. */
class PartThread {
  readonly #job: ReplayJob;
  readonly #options: Promise<FileOptions>;
  readonly #post: (batch: FromThread) => void;
  readonly #stopping = new AbortController();
  readonly #bell = new Bell();
  #untaken = 0;
  #reading: Promise<void> = Promise.resolve();

  constructor(job: ReplayJob, post: (batch: FromThread) => void) {
    this.#job = job;
    this.#options = toFileOptions(job);
    this.#post = post;
  }

  told(message: ToThread): void {
    switch (message.what) {
      case 'read':
        this.#reading = this.#reading.then(() => this.#read(message.part));
        return;
      case 'taken':
        this.#untaken -= 1;
        this.#bell.ring();
        return;
      case 'stop':
        this.#stopping.abort();
        return;
      case 'replay':
        this.#reading = this.#reading.then(() => this.#replay(message.set));
    }
  }

  async #replay(set: readonly string[]): Promise<void> {
    const options = await this.#options;
    const policy = policyOf({ ...this.#job, set });
    const outcomes = await options.kept?.outcomes({ ...options, policy, rejected: () => {} });
    this.#post({ outcomes });
  }

  async #read(part: Part): Promise<void> {
    const options = { ...(await this.#options), signal: this.#stopping.signal };
    let events: FileEvent[] = [];
    for await (const event of replayPart(part, options)) {
      events.push(event);
      if (events.length < BATCH) continue;
      this.#post({ events, isOver: false });
      events = [];
      this.#untaken += 1;
      while (this.#untaken > MAX_WAITING) await this.#bell.rung();
    }
    this.#post({ events, isOver: true });
  }
}

const thread = new PartThread(workerData as ReplayJob, (batch) => parentPort?.postMessage(batch));
parentPort?.on('message', (message: ToThread) => thread.told(message));
