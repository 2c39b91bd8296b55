import { type FileHandle, open, stat } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { Signal, Trip } from '@teamfuse/core';
import { type Disclosure, parseSignal } from '@teamfuse/core/kit';
import { DEFAULT_LIMITS } from '../input/limits.ts';
import { jsonIn, linesOf, type ReportBroken } from '../input/lines.ts';
import { fieldsOf, nameIn } from '../transcript/values.ts';
import { Subject } from '../vendor/streams.ts';
import type { Board } from './board.ts';

const INTERVAL_MS = 200;
const CHUNK_BYTES = 64 * 1024;

/** A recording that is put on a board while it grows. */
export class FollowedRecording {
  readonly #path: string;
  readonly #board: Board;
  readonly #disclosure: Disclosure;
  readonly #broken: ReportBroken;
  /** Tells that the board has changed. */
  readonly changes: Subject<unknown> = new Subject();

  constructor(path: string, board: Board, disclosure: Disclosure, broken: ReportBroken) {
    this.#path = path;
    this.#board = board;
    this.#disclosure = disclosure;
    this.#broken = broken;
  }

  /** Reads what is there and what comes, until the signal aborts. */
  async follow(signal: AbortSignal): Promise<void> {
    const bytes = growing(this.#path, signal);
    for await (const lines of linesOf(bytes, DEFAULT_LIMITS.maxLineBytes, this.#broken)) {
      for (const { number, text } of lines) this.#take(number, text);
      this.changes.next(undefined);
    }
  }

  #take(number: number, line: string): void {
    try {
      const value = jsonIn(line);
      const { record, conversation, trip } = fieldsOf(value) ?? {};
      const id = nameIn(conversation) ?? this.#path;
      if (record === 'trip') this.#board.trip(id, this.#disclosure.trip(trip as Trip));
      else if (record === undefined) {
        this.#board.signal(id, parseSignal(value) as Signal, this.#disclosure);
      }
    } catch (error) {
      this.#broken(number, error instanceof Error ? error.message : String(error));
    }
  }
}

/** The bytes of a file as it grows. One that is made anew, or emptied, is read from its beginning. */
async function* growing(path: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  while (!signal.aborted) {
    const file = await open(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    if (file === undefined) {
      await pause(signal);
      continue;
    }
    try {
      yield* growingFile(file, path, signal);
    } finally {
      await file.close();
    }
  }
}

/** The bytes of an open file until it is another one. */
async function* growingFile(
  file: FileHandle,
  path: string,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const { ino } = await file.stat();
  let position = 0;
  while (!signal.aborted) {
    const { bytesRead, buffer } = await file.read(
      Buffer.alloc(CHUNK_BYTES),
      0,
      CHUNK_BYTES,
      position,
    );
    position += bytesRead;
    if (bytesRead > 0) {
      yield buffer.subarray(0, bytesRead);
      continue;
    }
    const now = await stat(path).catch(() => undefined);
    // What was written between the last read and its being moved aside is read before the next file.
    const isMoved = now !== undefined && now.ino !== ino;
    const { size } = await file.stat();
    if (size === position && isMoved) return;
    if (size < position) position = 0;
    if (size === position) await pause(signal);
  }
}

async function pause(signal: AbortSignal): Promise<void> {
  await wait(INTERVAL_MS, undefined, { signal }).catch(() => {});
}
