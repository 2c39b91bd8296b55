import type { FileEvent } from '../file-event.ts';
import type { Part, PartsEnd } from '../parts.ts';
import { Problems } from '../problems.ts';
import { Bell } from './bell.ts';
import type { PartEvents, ThreadPool } from './thread-pool.ts';

/** How far threads may run ahead of who takes the events. */
const MAX_PARTS = 64;
const MAX_BYTES = 4 * 1024 * 1024;

type Given = PartEvents | PartsEnd;

/** Replays the parts of files in several threads, and gives their events in the order of the parts. */
export async function* replayInThreads(
  parts: AsyncIterable<Part | PartsEnd>,
  pool: ThreadPool,
  signal: AbortSignal,
): AsyncGenerator<FileEvent> {
  const ahead = new Ahead(parts, pool);
  const stop = (): void => pool.stop();
  signal.addEventListener('abort', stop);
  let problems: Problems | undefined;
  try {
    for await (const given of ahead.taken()) {
      if ('isEnd' in given) {
        yield* endOf(given, problems);
        problems = undefined;
        continue;
      }
      const { source, block } = given.part;
      if (block !== undefined) problems ??= new Problems(source);
      for await (const event of given) {
        if (event.kind !== 'broken' || problems === undefined) yield event;
        else {
          problems.add(event.line, event.problem, event.count);
          yield* problems.take();
        }
      }
      if (!signal.aborted) continue;
      yield* problems?.rest() ?? [];
      return;
    }
  } finally {
    signal.removeEventListener('abort', stop);
    await ahead.close();
  }
}

function* endOf({ source, problem }: PartsEnd, problems?: Problems): Generator<FileEvent> {
  yield* problems?.rest() ?? [];
  if (problem !== undefined) yield { kind: 'failed', source, problem, isUnknown: false };
}

/** Hands parts out before their events are taken, but not too many. */
class Ahead {
  readonly #given: Given[] = [];
  readonly #bell = new Bell();
  readonly #room = new Bell();
  readonly #feeding: Promise<void>;
  #bytes = 0;
  #isOver = false;

  constructor(parts: AsyncIterable<Part | PartsEnd>, pool: ThreadPool) {
    this.#feeding = this.#feed(parts, pool);
  }

  async *taken(): AsyncGenerator<Given> {
    for (;;) {
      const given = this.#given[0];
      if (given === undefined) {
        if (this.#isOver) return await this.#feeding;
        await this.#bell.rung();
        continue;
      }
      yield given;
      this.#given.shift();
      this.#bytes -= bytesOf(given);
      this.#room.ring();
    }
  }

  async close(): Promise<void> {
    this.#isOver = true;
    this.#room.ring();
    await this.#feeding;
  }

  async #feed(parts: AsyncIterable<Part | PartsEnd>, pool: ThreadPool): Promise<void> {
    try {
      for await (const part of parts) {
        while (this.#isFull() && !this.#isOver) await this.#room.rung();
        if (this.#isOver) return;
        const given = 'isEnd' in part ? part : pool.read(part);
        this.#given.push(given);
        this.#bytes += bytesOf(given);
        this.#bell.ring();
      }
    } finally {
      this.#isOver = true;
      this.#bell.ring();
    }
  }

  #isFull(): boolean {
    return this.#given.length >= MAX_PARTS || this.#bytes >= MAX_BYTES;
  }
}

function bytesOf(given: Given): number {
  return 'isEnd' in given ? 0 : given.bytes;
}
