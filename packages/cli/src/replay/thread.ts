import { parentPort, workerData } from 'node:worker_threads';
import { type FileEvent, type FileOptions, replayFile } from './replay-file.ts';
import { type ReplayJob, toFileOptions } from './replay-job.ts';
import { type FromThread, MAX_WAITING, type ToThread } from './threads.ts';

const BATCH = 32;

/** Reads the files that it is given, one after another, and never runs far ahead of who takes the events. */
class FileThread {
  readonly #options: Promise<FileOptions>;
  readonly #post: (batch: FromThread) => void;
  #untaken = 0;
  #wake: (() => void) | undefined;

  constructor(job: ReplayJob, post: (batch: FromThread) => void) {
    this.#options = toFileOptions(job);
    this.#post = post;
  }

  taken(): void {
    this.#untaken -= 1;
    this.#wake?.();
  }

  async read(source: string): Promise<void> {
    this.#untaken = 0;
    let events: FileEvent[] = [];
    for await (const event of replayFile(source, await this.#options)) {
      events.push(event);
      if (events.length < BATCH) continue;
      this.#post({ events, isOver: false });
      events = [];
      this.#untaken += 1;
      while (this.#untaken > MAX_WAITING) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
    this.#post({ events, isOver: true });
  }
}

const thread = new FileThread(workerData as ReplayJob, (batch) => parentPort?.postMessage(batch));
parentPort?.on('message', (message: ToThread) => {
  if ('taken' in message) thread.taken();
  else void thread.read(message.source);
});
