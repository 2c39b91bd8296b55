import { closeSync, constants, existsSync, ftruncateSync, mkdirSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { openPrivate, readPrivate } from '../lock/private-file.ts';
import { withLockSync } from '../lock/with-lock.ts';
import { isBooking } from './amounts.ts';
import type { Booking } from './budget-server.ts';

const LOCK = { timeoutMs: 5_000, leftAfterMs: 60_000 };
const APPEND = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND;

/**
 * A journal in a file: a line for each booking, and one for those that were sent since. Processes may share it; it is emptied
 * once all that it holds has been sent.
 */
export class JournalFile {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** What was not sent. Lines that were not completely written are left out. */
  read(): Booking[] {
    if (!existsSync(this.path)) return [];
    const bookings = new Map<string, Booking>();
    for (const line of readPrivate(this.path).split('\n')) {
      const { booking, sent } = parsed(line);
      if (isBooking(booking)) bookings.set(booking.id, booking);
      if (Array.isArray(sent)) for (const id of sent) bookings.delete(id);
    }
    return [...bookings.values()];
  }

  /** Writes down bookings that came, and those that were sent. @throws what the file system says; then it may be called again. */
  update(added: readonly Booking[], sent: readonly string[]): void {
    if (added.length + sent.length === 0) return;
    this.#locked((file) => {
      // A disk that is full has no room for a line which says that nothing is left.
      const isDone = added.length === 0 && this.read().every(({ id }) => sent.includes(id));
      if (isDone) return ftruncateSync(file);
      const lines = added.map((booking) => lineOf({ booking }));
      writeWhole(file, lines.join('') + (sent.length > 0 ? lineOf({ sent }) : ''));
    });
  }

  #locked(work: (file: number) => void): void {
    mkdirSync(dirname(this.path), { recursive: true });
    withLockSync(this.path, LOCK, () => {
      const file = openPrivate(this.path, APPEND);
      try {
        work(file);
      } finally {
        closeSync(file);
      }
    });
  }
}

/** A disk that becomes full takes a part, and says nothing. */
function writeWhole(file: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}

/** A line of its own, also after one that was cut off. */
function lineOf(entry: object): string {
  return `\n${JSON.stringify(entry)}\n`;
}

function parsed(line: string): { readonly booking?: unknown; readonly sent?: unknown } {
  try {
    return Object(JSON.parse(line));
  } catch {
    return {};
  }
}
