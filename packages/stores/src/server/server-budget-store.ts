import { randomUUID } from 'node:crypto';
import type { BudgetStore } from '@teamfuse/core';
import type {
  Amount,
  BudgetLimits,
  BudgetTotals,
  Purse,
  ReservationResult,
} from '@teamfuse/core/kit';
import { checked, NOTHING } from './amounts.ts';
import type { Booking, BudgetServer } from './budget-server.ts';
import { Journal, MAX_JOURNAL } from './journal.ts';
import { JournalFile } from './journal-file.ts';
import { Line, MACHINE_TIMERS } from './line.ts';
import { LocalShare } from './local-share.ts';
import { Pulse } from './pulse.ts';
import type { ReadServerStoreOptions } from './server-store-options.ts';

export { booksIn } from './amounts.ts';
export type { Booking, BudgetServer } from './budget-server.ts';
export { Line, MACHINE_TIMERS } from './line.ts';
export {
  type ReadServerStoreOptions,
  readServerStoreOptions,
  type ServerStoreOptions,
} from './server-store-options.ts';

/** A call that was admitted while the server was away. */
interface OwnCall {
  readonly amount: Amount;
  readonly purses: readonly Purse[];
}

/** A budget whose books a server keeps: time limits, heart-beats, a journal, and what happens while the server is away. */
export class ServerBudgetStore implements BudgetStore {
  readonly #server: BudgetServer;
  readonly #options: ReadServerStoreOptions;
  readonly #line: Line;
  readonly #pulse: Pulse;
  readonly #journal: Journal;
  readonly #local: LocalShare;
  /** Calls under way that the server has not heard of. */
  readonly #own: Map<string, OwnCall> = new Map();
  #isInStep = true;
  #catchingUp: Promise<void> | undefined;

  constructor(server: BudgetServer, options: ReadServerStoreOptions) {
    const { timers = MACHINE_TIMERS, reservationMs, callMs, journalFile } = options;
    const { timeoutMs, attempts, localShare } = options;
    this.#server = server;
    this.#options = options;
    this.#line = new Line({
      timeoutMs,
      attempts,
      timers,
      onRetry: () => void this.#catchUp().catch(ignore),
    });
    this.#pulse = new Pulse({
      reservationMs,
      callMs,
      timers,
      keep: (ids) => this.#ask(() => server.keep(ids)),
    });
    this.#journal = new Journal(
      journalFile === undefined ? undefined : new JournalFile(journalFile),
    );
    this.#local = new LocalShare(localShare);
    this.#isInStep = this.#journal.size === 0;
  }

  /** How many settlements wait for the server. */
  get unsettled(): number {
    return this.#journal.size;
  }

  /** @throws {@link UnreachableServerError} with `failMode: 'closed'`, when the server does not answer. */
  async reserve(
    id: string,
    amount: Amount,
    limits: BudgetLimits,
    purses: readonly Purse[] = [],
  ): Promise<ReservationResult> {
    const whole = checked('amount', amount);
    if (this.#journal.size >= MAX_JOURNAL)
      throw new Error('too many settlements wait for the server');
    const names = purses.map(({ name }) => name);
    let sent = 0;
    try {
      const result = await this.#ask(() => {
        sent++;
        return this.#server.reserve(id, whole, limits, purses);
      });
      this.#local.see(result.totals, names);
      if (result.isGranted) this.#pulse.hold(id);
      // What was granted at first, and refused when sent again, would be held for nobody.
      else if (sent > 1) this.#giveUp(id);
      return result;
    } catch (error) {
      return this.#reserveAlone(error, id, { amount: whole, purses }, limits, sent > 0);
    }
  }

  async settle(
    id: string | undefined,
    actual: Amount,
    purses: readonly string[] = [],
  ): Promise<BudgetTotals> {
    // With an id, it can be sent again.
    const booking = { id: id ?? randomUUID(), actual: checked('actual', actual), purses };
    try {
      const totals = await this.#ask(() => this.#server.settle(booking));
      this.#local.see(totals, purses);
      this.#end(booking.id);
      return totals;
    } catch {
      this.#keep(booking);
      this.#local.settle(booking.id, booking.actual, purses);
      return this.#local.totals(purses);
    }
  }

  async totals(purses: readonly string[] = []): Promise<BudgetTotals> {
    try {
      const totals = await this.#ask(() => this.#server.totals(purses));
      this.#local.see(totals, purses);
      return totals;
    } catch (error) {
      if (this.#options.failMode === 'closed') throw error;
      return this.#local.totals(purses);
    }
  }

  /** Sends the settlements that wait. @throws {@link UnreachableServerError} */
  async flush(): Promise<void> {
    await this.#ask(async () => undefined);
  }

  /** Ends the timers. What is still reserved expires. The client stays open: it belongs to the caller. */
  close(): void {
    this.#pulse.close();
    this.#line.close();
  }

  /** Asks the server once it knows all that has happened while it was away. */
  async #ask<T>(command: () => Promise<T>): Promise<T> {
    try {
      if (!this.#isInStep) await this.#catchUp();
      return await this.#line.ask(command);
    } catch (error) {
      if (this.#isInStep) this.#options.onError?.(error);
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
    await this.#line.ask(() => this.#server.totals([]));
    await this.#journal.send(async (booking) => {
      await this.#line.ask(() => this.#server.settle(booking));
      this.#end(booking.id);
    });
    for (const [id, { amount, purses }] of this.#own) {
      const names = purses.map(({ name }) => ({ name }));
      // Without limits: the call is being made already.
      await this.#line.ask(() => this.#server.reserve(id, amount, {}, names));
      this.#own.delete(id);
    }
    this.#local.begin();
    this.#isInStep = true;
  }

  #reserveAlone(
    error: unknown,
    id: string,
    call: OwnCall,
    limits: BudgetLimits,
    wasSent: boolean,
  ): ReservationResult {
    const { failMode } = this.#options;
    const { amount, purses } = call;
    const isGranted =
      failMode === 'local'
        ? this.#local.reserve(id, amount, limits, purses)
        : failMode === 'open' && this.#local.reserve(id, amount, {}, purses.map(withoutLimits));
    if (isGranted) {
      this.#own.set(id, call);
      this.#pulse.hold(id);
    } else if (wasSent) this.#giveUp(id);
    if (failMode === 'closed') throw error;
    return { isGranted, totals: this.#local.totals(purses.map(({ name }) => name)) };
  }

  /** Releases what the server may have reserved for a call that is not made. */
  #giveUp(id: string): void {
    const booking = { id, actual: NOTHING, purses: [] };
    this.#ask(() => this.#server.settle(booking)).catch(() => {
      try {
        this.#keep(booking);
      } catch (error) {
        this.#options.onError?.(error);
      }
    });
  }

  #keep(booking: Booking): void {
    this.#journal.add(booking);
    this.#own.delete(booking.id);
    this.#isInStep = false;
  }

  #end(id: string): void {
    this.#pulse.drop(id);
    this.#own.delete(id);
  }
}

function withoutLimits({ name }: Purse): Purse {
  return { name };
}

function ignore(): void {}
