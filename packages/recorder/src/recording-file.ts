import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, extname } from 'node:path';

/** How large a recording grows. */
export interface RotationOptions {
  /** Bytes of one file. */
  readonly maxBytes: number;
  /** How many older files are kept beside it. */
  readonly keep: number;
}

/** A line longer than a file may be. */
class LineTooLongError extends Error {
  override readonly name = 'LineTooLongError';
}

/** What people said stands in it, so that nobody else may read it. */
const MODE = 0o600;
// A pipe that nobody reads must not hold the program up.
const FLAGS = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK;
const NEWLINE = 10;

/**
 * A file to which whole lines are appended, each of them at once: what was appended is there when the process is killed
 * in the next moment. It is opened with the first line, and made anew when it is full.
 */
export class RecordingFile {
  readonly path: string;
  readonly #options: RotationOptions;
  /** Gives the first line of each file. */
  readonly #header: (part: number) => string;
  #handle: number | undefined;
  #size = 0;
  #part = 0;
  /** Whether the last line was written in part. */
  #isTorn = false;

  constructor(path: string, options: RotationOptions, header: (part: number) => string) {
    this.path = path;
    this.#options = options;
    this.#header = header;
  }

  /** @throws what the file system says; a line is written as a whole or counts as torn, and never runs into the next. */
  append(line: string): void {
    const bytes = Buffer.byteLength(line) + 1;
    const { maxBytes } = this.#options;
    if (bytes > maxBytes) {
      throw new LineTooLongError(`a line of ${bytes} bytes, and a file has at most ${maxBytes}`);
    }
    this.#handle ??= this.#open();
    if (this.#size > 0 && this.#size + bytes > maxBytes) this.#rotate();
    this.#write(line);
  }

  /** Writes all through to the disk. Further lines open the file again. */
  close(): void {
    const handle = this.#handle;
    if (handle === undefined) return;
    this.#handle = undefined;
    try {
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  }

  #open(): number {
    mkdirSync(dirname(this.path), { recursive: true });
    const handle = openSync(this.path, FLAGS, MODE);
    try {
      const stats = fstatSync(handle);
      if (!stats.isFile()) throw new Error('expected a regular file');
      this.#size = stats.size;
      this.#isTorn = stats.size > 0 && lastByte(handle, stats.size) !== NEWLINE;
      this.#handle = handle;
      this.#write(this.#header(this.#part));
      return handle;
    } catch (error) {
      this.#handle = undefined;
      closeSync(handle);
      throw error;
    }
  }

  /** Moves the full file aside, and the older ones one place further. The oldest one goes. */
  #rotate(): void {
    this.close();
    const { keep } = this.#options;
    rmSync(olderFile(this.path, keep), { force: true });
    for (let age = keep - 1; age >= 1; age--) move(olderFile(this.path, age), age, this.path);
    if (keep === 0) rmSync(this.path, { force: true });
    else renameSync(this.path, olderFile(this.path, 1));
    this.#part += 1;
    this.#handle = this.#open();
  }

  #write(line: string): void {
    const handle = this.#handle as number;
    const bytes = Buffer.from(`${this.#isTorn ? '\n' : ''}${line}\n`);
    this.#isTorn = true;
    for (let written = 0; written < bytes.length; ) {
      const count = writeSync(handle, bytes, written);
      written += count;
      this.#size += count;
    }
    this.#isTorn = false;
  }
}

/** Where an older part of a recording is: `run.jsonl` becomes `run.1.jsonl`. */
export function olderFile(path: string, age: number): string {
  const extension = extname(path);
  return `${path.slice(0, path.length - extension.length)}.${age}${extension}`;
}

function move(from: string, age: number, path: string): void {
  if (statSync(from, { throwIfNoEntry: false }) !== undefined) {
    renameSync(from, olderFile(path, age + 1));
  }
}

function lastByte(handle: number, size: number): number | undefined {
  const byte = new Uint8Array(1);
  readSync(handle, byte, 0, 1, size - 1);
  return byte[0];
}
