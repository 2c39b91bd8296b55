import type { Booking } from './budget-server.ts';
import type { JournalFile } from './journal-file.ts';

/** At this many no further call is admitted. */
export const MAX_JOURNAL = 10_000;
/** How many are sent at once. */
const BATCH = 50;

/** Bookings that the server has not confirmed. */
export class Journal {
  readonly #bookings: Map<string, Booking>;
  readonly #file: JournalFile | undefined;
  #sending: Promise<void> | undefined;

  constructor(file: JournalFile | undefined) {
    this.#file = file;
    this.#bookings = new Map(file?.read().map((one) => [one.id, one]));
  }

  get size(): number {
    return this.#bookings.size;
  }

  /** @throws Error when it is full, and what the file system says. */
  add(booking: Booking): void {
    // The first settlement of an id counts.
    if (this.#bookings.has(booking.id)) return;
    if (this.size >= MAX_JOURNAL) {
      throw new Error(`${MAX_JOURNAL} settlements wait for the server; this one is lost`);
    }
    this.#bookings.set(booking.id, booking);
    this.#file?.add(booking);
  }

  /** Sends what there is. Rejects when the server cannot be reached. */
  async send(settle: (booking: Booking) => Promise<unknown>): Promise<void> {
    while (this.size > 0) {
      this.#sending ??= this.#sendBatch(settle).finally(() => {
        this.#sending = undefined;
      });
      await this.#sending;
    }
  }

  async #sendBatch(settle: (booking: Booking) => Promise<unknown>): Promise<void> {
    const batch = [...this.#bookings.values()].slice(0, BATCH);
    const sent = await Promise.allSettled(batch.map(settle));
    const booked = batch.filter((_, i) => sent[i]?.status === 'fulfilled');
    for (const { id } of booked) this.#bookings.delete(id);
    this.#file?.remove(booked.map(({ id }) => id));
    const failed = sent.find((one) => one.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }
}
