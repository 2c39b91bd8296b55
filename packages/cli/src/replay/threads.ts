import { Worker } from 'node:worker_threads';
import type { FileEvent } from './replay-file.ts';
import type { ReplayJob } from './replay-job.ts';

/** What a thread is told. */
export type ToThread = { readonly source: string } | { readonly taken: true };

/** What a thread tells: some events, and whether its file is over. */
export interface FromThread {
  readonly events: readonly FileEvent[];
  readonly isOver: boolean;
}

/** Batches of a file that may wait for those before it. */
export const MAX_WAITING = 200;

/** The events of one file, taken in order while the file is still read. */
class FileQueue {
  readonly source: string;
  #batches: FromThread[] = [];
  #wake: (() => void) | undefined;
  #taken: () => void = () => {};

  constructor(source: string) {
    this.source = source;
  }

  readBy(taken: () => void): void {
    this.#taken = taken;
  }

  put(batch: FromThread): void {
    this.#batches.push(batch);
    this.#wake?.();
  }

  async *events(): AsyncGenerator<FileEvent> {
    for (;;) {
      const batch = this.#batches.shift();
      if (batch === undefined) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        continue;
      }
      yield* batch.events;
      if (batch.isOver) return;
      this.#taken();
    }
  }
}

/** Replays files in several threads and gives their events in the order of the files. */
export async function* replayInThreads(
  sources: readonly string[],
  job: ReplayJob,
  signal: AbortSignal,
): AsyncGenerator<FileEvent> {
  const queues = sources.map((source) => new FileQueue(source));
  const waiting = [...queues];
  const count = Math.min(job.threads, sources.length);
  const workers = Array.from({ length: count }, () => startWorker(job, waiting));
  try {
    for (const queue of queues) {
      for await (const event of queue.events()) {
        if (signal.aborted) return;
        yield event;
      }
    }
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}

function startWorker(job: ReplayJob, waiting: FileQueue[]): Worker {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const worker = new Worker(new URL(`./thread.${extension}`, import.meta.url), { workerData: job });
  let current: FileQueue | undefined;
  const readNext = (): void => {
    current = waiting.shift();
    if (current === undefined) return;
    current.readBy(() => worker.postMessage({ taken: true } satisfies ToThread));
    worker.postMessage({ source: current.source } satisfies ToThread);
  };
  worker.on('message', (batch: FromThread) => {
    current?.put(batch);
    if (batch.isOver) readNext();
  });
  worker.on('error', (error) => {
    const source = current?.source ?? '';
    const problem = `${source}: ${error.message}`;
    current?.put({
      events: [{ kind: 'failed', source, problem, isUnknown: false }],
      isOver: true,
    });
    for (const queue of waiting.splice(0)) queue.put({ events: [], isOver: true });
  });
  readNext();
  return worker;
}
