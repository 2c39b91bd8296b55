import type { Amount, Purse, Timers } from '@teamfuse/core/kit';
import { NOTHING } from './amounts.ts';
import type { Booking, BudgetServer, LeaseRequest } from './budget-server.ts';
import type { Journal } from './journal.ts';
import { Line } from './line.ts';

/** Options of an {@link Upstream}. */
export interface UpstreamOptions {
  readonly server: BudgetServer;
  readonly journal: Journal;
  readonly timeoutMs: number;
  readonly attempts: number;
  readonly timers: Timers;
  readonly onError: (error: unknown) => void;
  /** Called with the id of a settlement that was booked later. */
  readonly onBooked: (id: string) => void;
  /** Called once the server knows all that has happened while it was away. */
  readonly onBack: () => void;
}

/** A call that was admitted while the server was away. */
export interface OwnCall {
  readonly amount: Amount;
  readonly purses: readonly Purse[];
}

/** The way to the server. What happens while it is away is told to it before anything else, once it is back. */
export class Upstream {
  readonly #options: UpstreamOptions;
  readonly #line: Line;
  /** Calls under way that the server has not heard of. */
  readonly #own: Map<string, OwnCall> = new Map();
  /** What the server was asked and has not answered. */
  readonly #asked: Set<Promise<unknown>> = new Set();
  #isInStep: boolean;
  #catchingUp: Promise<void> | undefined;

  constructor(options: UpstreamOptions) {
    const { timeoutMs, attempts, timers, journal } = options;
    this.#options = options;
    this.#line = new Line({
      timeoutMs,
      attempts,
      timers,
      onRetry: () => {
        this.#catchUp().catch(ignore);
      },
    });
    this.#isInStep = journal.isSent;
  }

  /** Whether the server has answered the last question. */
  get isUp(): boolean {
    return this.#line.isUp;
  }

  /** Asks the server once it knows all that has happened while it was away. @throws {@link UnreachableServerError} */
  async ask<T>(command: () => Promise<T>): Promise<T> {
    const answer = this.#ask(command);
    this.#asked.add(answer);
    try {
      return await answer;
    } finally {
      this.#asked.delete(answer);
    }
  }

  /** Waits for the answers to all that was asked so far, and sends what waits. @throws {@link UnreachableServerError} */
  async flush(): Promise<void> {
    await Promise.allSettled(this.#asked);
    await this.ask(async () => undefined);
  }

  /** A call was admitted that the server is told of later, unless it has ended by then. */
  tellLater(id: string, call: OwnCall): void {
    this.#own.set(id, call);
  }

  /** Keeps a settlement until the server is back. @throws what the journal says */
  keep(booking: Booking): void {
    this.#options.journal.add(booking);
    this.ended(booking.id);
    this.#isInStep = false;
  }

  /** A call is over. */
  ended(id: string): void {
    this.#own.delete(id);
  }

  /** Releases what the server may have reserved for a call that is not made. */
  giveUp(id: string): void {
    const booking = { id, actual: NOTHING, purses: [] };
    this.ask(() => this.#options.server.settle(booking)).catch(() => {
      try {
        this.keep(booking);
      } catch (error) {
        this.#options.onError(error);
      }
    });
  }

  /** Ends the timers. */
  close(): void {
    this.#line.close();
  }

  async #ask<T>(command: () => Promise<T>): Promise<T> {
    try {
      if (!this.#isInStep) await this.#catchUp();
      return await this.#line.ask(command);
    } catch (error) {
      if (this.#isInStep) this.#options.onError(error);
      this.#isInStep = false;
      throw error;
    }
  }

  #catchUp(): Promise<void> {
    this.#catchingUp ??= this.#sendAll().finally(() => {
      this.#catchingUp = undefined;
    });
    return this.#catchingUp;
  }

  async #sendAll(): Promise<void> {
    const { server, journal, onBooked, onBack } = this.#options;
    await this.#line.ask(() => server.totals([]));
    await journal.send(async (booking) => {
      await this.#line.ask(() => this.#book(booking));
      this.ended(booking.id);
      onBooked(booking.id);
    });
    for (const [id, { amount, purses }] of this.#own) {
      const names = purses.map(({ name }) => ({ name }));
      // Without limits: the call is being made already.
      await this.#line.ask(() => server.reserve(id, amount, {}, names));
      this.#own.delete(id);
    }
    onBack();
    this.#isInStep = true;
  }

  /** Books what a process before this one has not sent, at the expense of its lease while that lasts. */
  async #book(booking: Booking): Promise<unknown> {
    const { server } = this.#options;
    const { lease: id } = booking;
    return id === undefined ? server.settle(booking) : server.lease(bookedIn(id, booking));
  }
}

/** A request that books, and changes nothing else. */
function bookedIn(id: string, booking: Booking): LeaseRequest {
  const nothing = { calls: NOTHING, kept: NOTHING, wanted: NOTHING, parts: 1 };
  return { id, number: 0, isOver: false, limits: {}, purses: [], bookings: [booking], ...nothing };
}

function ignore(): void {}
