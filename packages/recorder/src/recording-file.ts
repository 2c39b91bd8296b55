import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  mkdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, extname } from 'node:path';
import { openPrivate, withLockSync } from '@teamfuse/stores/lock';

/** How large a recording grows. */
export interface RotationOptions {
  /** Bytes of one file. */
  readonly maxBytes: number;
  /** How many older files are kept. */
  readonly keep: number;
}

/** A line longer than a file may be. */
class LineTooLongError extends Error {
  override readonly name = 'LineTooLongError';
}

// A pipe without a reader must not block the program.
const FLAGS = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK;
const NEWLINE = 10;
/** A lock is held for one line. The program blocks while it waits for one. */
const LOCK = { timeoutMs: 10_000, leftAfterMs: 5_000 };

/**
 * A file to which whole lines are appended, each of them at once: what was appended is there when the process is killed
 * in the next moment. It is opened with the first line, and replaced when it is full. Others may write to it as well, in
 * this process or another one: each line is written under a lock, to the file as it is then.
 */
export class RecordingFile {
  readonly path: string;
  readonly #options: RotationOptions;
  /** Gives the first line of each file. */
  readonly #header: (part: number) => string;
  #handle: number | undefined;
  /** Tells the open file from another one that has taken its place. */
  #inode = 0n;
  #size = 0;
  #part = 0;
  #hasHeader = false;
  /** Whether the last line was written in part. */
  #isTorn = false;

  constructor(path: string, options: RotationOptions, header: (part: number) => string) {
    this.path = path;
    this.#options = options;
    this.#header = header;
  }

  /** @throws what the file system says; a line is written as a whole or counts as torn, and never runs into the next. */
  append(line: string): void {
    if (this.#handle === undefined) mkdirSync(dirname(this.path), { recursive: true });
    withLockSync(this.path, LOCK, () => {
      this.#follow();
      if (!this.#fits(line)) this.#rotate();
      this.#write(this.#hasHeader ? line : this.#headed(line, this.#part));
    });
  }

  /** Flushes all lines to disk. Further lines open the file again. */
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

  /** Whether there is room for a line. A line for which there is none in a new file either is too long. */
  #fits(line: string): boolean {
    const { maxBytes } = this.#options;
    const text = this.#hasHeader ? line : this.#headed(line, this.#part);
    if (this.#size + Number(this.#isTorn) + bytesOf(text) <= maxBytes) return true;
    if (bytesOf(this.#headed(line, this.#part + 1)) <= maxBytes) return false;
    throw new LineTooLongError(
      `a line of ${bytesOf(line)} bytes, and a file has at most ${maxBytes}`,
    );
  }

  /** Opens the file that is there now: another recorder may have moved the last one aside, or written to it. */
  #follow(): void {
    const now = statSync(this.path, { throwIfNoEntry: false, bigint: true });
    if (this.#handle !== undefined && now?.ino !== this.#inode) this.#leave();
    this.#handle ??= this.#open();
    const { size } = fstatSync(this.#handle);
    if (size === this.#size) return;
    this.#size = size;
    this.#isTorn = size > 0 && lastByte(this.#handle, size) !== NEWLINE;
  }

  #open(): number {
    // It holds what people said.
    const handle = openPrivate(this.path, FLAGS);
    this.#inode = fstatSync(handle, { bigint: true }).ino;
    this.#size = 0;
    this.#isTorn = false;
    this.#hasHeader = false;
    return handle;
  }

  /** Continues with the next file. */
  #leave(): void {
    this.close();
    this.#part += 1;
  }

  /** Moves the full file aside, and the older ones one place further. The oldest one goes. */
  #rotate(): void {
    if (this.#hasHeader) this.#leave();
    else this.close();
    const { keep } = this.#options;
    rmSync(olderFile(this.path, keep), { force: true });
    for (let age = keep - 1; age >= 1; age--) move(olderFile(this.path, age), age, this.path);
    if (keep === 0) rmSync(this.path, { force: true });
    else renameSync(this.path, olderFile(this.path, 1));
    this.#handle = this.#open();
  }

  #headed(line: string, part: number): string {
    return `${this.#header(part)}\n${line}`;
  }

  #write(text: string): void {
    const handle = this.#handle as number;
    const bytes = Buffer.from(`${this.#isTorn ? '\n' : ''}${text}\n`);
    this.#isTorn = true;
    for (let written = 0; written < bytes.length; ) {
      const count = writeSync(handle, bytes, written);
      written += count;
      this.#size += count;
    }
    this.#isTorn = false;
    this.#hasHeader = true;
  }
}

/** The bytes of text with the end of its line. */
function bytesOf(text: string): number {
  return Buffer.byteLength(text) + 1;
}

/** Where an older part of a recording is: `run.jsonl` becomes `run.1.jsonl`. */
function olderFile(path: string, age: number): string {
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
