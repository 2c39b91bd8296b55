import { UnwrittenJournalError } from '../errors.ts';
import type { Booking } from './budget-server.ts';
import type { JournalFile } from './journal-file.ts';

/** At this many no further call is admitted. */
export const MAX_JOURNAL = 10_000;
/** How many are sent at once. */
const BATCH = 50;

/** Bookings that the server has not confirmed. */
export class Journal {
  readonly #bookings: Map<string, Booking>;
  /** The ids of those that are sent with the renewal of a lease. */
  readonly #leased: Set<string> = new Set();
  readonly #file: JournalFile | undefined;
  readonly #failed: (error: unknown) => void;
  /** What is not in the file, or still is, since it could not be written last time. */
  readonly #added: Map<string, Booking> = new Map();
  readonly #sent: Set<string> = new Set();
  #isFailing = false;
  #sending: Promise<void> | undefined;

  /** `failed` hears once of a file that cannot be written, until it can be. What it should hold is in memory. */
  constructor(file: JournalFile | undefined, failed: (error: unknown) => void) {
    this.#file = file;
    this.#failed = failed;
    this.#bookings = new Map(file?.read().map((one) => [one.id, one]));
  }

  get size(): number {
    return this.#bookings.size + this.#leased.size;
  }

  /** Whether there is nothing that {@link Journal.send} would send. */
  get isSent(): boolean {
    return this.#bookings.size === 0;
  }

  /** Keeps a booking that is sent with a lease. @throws as {@link Journal.add} */
  addLeased(booking: Booking): void {
    this.#checkRoom();
    this.#leased.add(booking.id);
    this.#write([booking], []);
  }

  isLeased(id: string): boolean {
    return this.#leased.has(id);
  }

  /** The server has booked those of a lease. */
  removeLeased(ids: readonly string[]): void {
    for (const id of ids) this.#leased.delete(id);
    this.#write([], ids);
  }

  /** @throws Error when it is full. */
  add(booking: Booking): void {
    // The first settlement of an id counts.
    if (this.#bookings.has(booking.id)) return;
    this.#checkRoom();
    this.#bookings.set(booking.id, booking);
    this.#write([booking], []);
  }

  /** Sends what there is. Rejects when the server cannot be reached. */
  async send(settle: (booking: Booking) => Promise<unknown>): Promise<void> {
    while (!this.isSent) {
      this.#sending ??= this.#sendBatch(settle).finally(() => {
        this.#sending = undefined;
      });
      await this.#sending;
    }
  }

  /** Brings the file up to date, with what could not be written before. */
  #write(added: readonly Booking[], sent: readonly string[]): void {
    if (this.#file === undefined) return;
    for (const booking of added) this.#added.set(booking.id, booking);
    // What never came into the file need not be taken out.
    for (const id of sent) if (!this.#added.delete(id)) this.#sent.add(id);
    try {
      this.#file.update([...this.#added.values()], [...this.#sent]);
      this.#added.clear();
      this.#sent.clear();
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) this.#failed(new UnwrittenJournalError(this.#file.path, error));
      this.#isFailing = true;
    }
  }

  #checkRoom(): void {
    if (this.size >= MAX_JOURNAL) {
      throw new Error(`${MAX_JOURNAL} settlements wait for the server; this one is lost`);
    }
  }

  async #sendBatch(settle: (booking: Booking) => Promise<unknown>): Promise<void> {
    const batch = [...this.#bookings.values()].slice(0, BATCH);
    const sent = await Promise.allSettled(batch.map(settle));
    const booked = batch.filter((_, i) => sent[i]?.status === 'fulfilled');
    for (const { id } of booked) this.#bookings.delete(id);
    this.#write(
      [],
      booked.map(({ id }) => id),
    );
    const failed = sent.find((one) => one.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }
}
