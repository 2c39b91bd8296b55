import { closeSync, constants, existsSync, ftruncateSync, writeSync } from 'node:fs';
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
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** What was not sent. Lines that were not completely written are left out. */
  read(): Booking[] {
    if (!existsSync(this.#path)) return [];
    const bookings = new Map<string, Booking>();
    for (const line of readPrivate(this.#path).split('\n')) {
      const { booking, sent } = parsed(line);
      if (isBooking(booking)) bookings.set(booking.id, booking);
      if (Array.isArray(sent)) for (const id of sent) bookings.delete(id);
    }
    return [...bookings.values()];
  }

  add(booking: Booking): void {
    this.#locked((file) => writeSync(file, lineOf({ booking })));
  }

  remove(ids: readonly string[]): void {
    if (ids.length === 0) return;
    this.#locked((file) => {
      writeSync(file, lineOf({ sent: ids }));
      if (this.read().length === 0) ftruncateSync(file);
    });
  }

  #locked(work: (file: number) => void): void {
    withLockSync(this.#path, LOCK, () => {
      const file = openPrivate(this.#path, APPEND);
      try {
        work(file);
      } finally {
        closeSync(file);
      }
    });
  }
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
