import { Worker } from 'node:worker_threads';
import type { FileEvent } from '../file-event.ts';
import type { Outcome } from '../kept.ts';
import type { Part } from '../parts.ts';
import type { ReplayJob } from '../replay-job.ts';
import { Bell } from './bell.ts';

/** A message to a thread. */
export type ToThread =
  | { readonly what: 'read'; readonly part: Part }
  /** A batch that was not the last one of its part has been taken. */
  | { readonly what: 'taken' }
  /** Nothing more is read; what was read counts. */
  | { readonly what: 'stop' }
  /** What was read is replayed again, with these settings. */
  | { readonly what: 'replay'; readonly set: readonly string[] };

/** What a thread tells. */
export type FromThread =
  | Batch
  /** What came of all that it has read; `undefined` if that was too much to be kept. */
  | { readonly outcomes: readonly Outcome[] | undefined };

/** Some events, and whether their part is over. */
interface Batch {
  readonly events: readonly FileEvent[];
  readonly isOver: boolean;
}

/** Batches of a part that may wait for those before it. */
export const MAX_WAITING = 100;
/** Parts that a thread has at hand, so that it need not wait for the next one. */
const MAX_GIVEN = 2;

/** Room for new objects in each thread: more is hardly faster, and takes several times as much memory. */
const YOUNG_MB = 3;

/** The events of one part, taken in order while the part is still read. */
export class PartEvents {
  readonly part: Part;
  /** Bytes of its block, which goes to the thread. */
  readonly bytes: number;
  readonly #bell = new Bell();
  #batches: Batch[] = [];
  #taken: () => void = () => {};

  constructor(part: Part) {
    this.part = part;
    this.bytes = part.block?.bytes.length ?? 0;
  }

  readBy(taken: () => void): void {
    this.#taken = taken;
  }

  put(batch: Batch): void {
    this.#batches.push(batch);
    this.#bell.ring();
  }

  fail(problem: string): void {
    const { source } = this.part;
    const failed = { kind: 'failed', source, problem: `${source}: ${problem}` } as const;
    this.put({ events: [{ ...failed, isUnknown: false }], isOver: true });
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<FileEvent> {
    for (;;) {
      const batch = this.#batches.shift();
      if (batch === undefined) {
        await this.#bell.rung();
        continue;
      }
      yield* batch.events;
      if (batch.isOver) return;
      this.#taken();
    }
  }
}

interface Thread {
  readonly worker: Worker;
  /** What it was given to read and has not read yet, in order. */
  readonly given: PartEvents[];
  /** Waits for what comes of a further replay. */
  waiting?: Waiting | undefined;
}

interface Waiting {
  readonly resolve: (outcomes: readonly Outcome[] | undefined) => void;
  readonly reject: (error: Error) => void;
}

/** Threads that replay parts of files in parallel. */
export class ThreadPool {
  readonly #job: ReplayJob;
  readonly #threads: Thread[] = [];
  readonly #waiting: PartEvents[] = [];
  #problem: string | undefined;

  constructor(job: ReplayJob) {
    this.#job = job;
  }

  /** Has a part read by the next thread that is free. */
  read(part: Part): PartEvents {
    const events = new PartEvents(part);
    if (this.#problem === undefined) this.#waiting.push(events);
    else events.fail(this.#problem);
    this.#handOut();
    return events;
  }

  /** Ends the reading; what was read counts. */
  stop(): void {
    for (const thread of this.#threads) tell(thread, { what: 'stop' });
  }

  /** What comes of all that was read with these settings; `undefined` if it was too much to be kept. */
  async outcomes(set: readonly string[]): Promise<readonly Outcome[] | undefined> {
    const all = await Promise.all(this.#threads.map((thread) => outcomesOf(thread, set)));
    return all.includes(undefined) ? undefined : all.flatMap((outcomes) => outcomes ?? []);
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map(({ worker }) => worker.terminate()));
  }

  #start(): Thread {
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
    const url = new URL(`./thread.${extension}`, import.meta.url);
    const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_MB };
    const worker = new Worker(url, { workerData: this.#job, resourceLimits });
    const thread: Thread = { worker, given: [] };
    worker.on('message', (message: FromThread) => {
      if ('outcomes' in message) {
        thread.waiting?.resolve(message.outcomes);
        return;
      }
      thread.given[0]?.put(message);
      if (!message.isOver) return;
      thread.given.shift();
      this.#handOut();
    });
    worker.on('error', (error) => {
      const { message } = error;
      thread.waiting?.reject(error);
      // What one thread fails at would fail in the others as well.
      this.#problem = message;
      const unread = [...this.#threads.flatMap(({ given }) => given.splice(0)), ...this.#waiting];
      this.#waiting.length = 0;
      for (const events of unread) events.fail(message);
    });
    this.#threads.push(thread);
    return thread;
  }

  #handOut(): void {
    while (this.#waiting.length > 0) {
      const thread = this.#free();
      const events = thread && this.#waiting.shift();
      if (thread === undefined || events === undefined) return;
      thread.given.push(events);
      events.readBy(() => tell(thread, { what: 'taken' }));
      tell(thread, { what: 'read', part: events.part });
    }
  }

  /** The thread that has least to read; a new one if all have something. */
  #free(): Thread | undefined {
    const idlest = this.#threads.toSorted((a, b) => a.given.length - b.given.length)[0];
    if (idlest?.given.length !== 0 && this.#threads.length < this.#job.threads) {
      return this.#start();
    }
    return idlest !== undefined && idlest.given.length < MAX_GIVEN ? idlest : undefined;
  }
}

function outcomesOf(
  thread: Thread,
  set: readonly string[],
): Promise<readonly Outcome[] | undefined> {
  return new Promise((resolve, reject) => {
    thread.waiting = { resolve, reject };
    tell(thread, { what: 'replay', set });
  });
}

function tell({ worker }: Thread, message: ToThread): void {
  const block = message.what === 'read' ? message.part.block : undefined;
  worker.postMessage(message, block === undefined ? [] : [block.bytes.buffer as ArrayBuffer]);
}
