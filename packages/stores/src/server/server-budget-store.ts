import { randomUUID } from 'node:crypto';
import type { BudgetStore } from '@teamfuse/core';
import {
  type Amount,
  type BudgetLimits,
  type BudgetTotals,
  type Purse,
  type ReservationResult,
  tell,
} from '@teamfuse/core/kit';
import { Agreement, type CommonOptions, type NoteOptions } from '../agreement.ts';
import { checked } from './amounts.ts';
import type { BudgetServer, LeaseAnswer, LeaseRequest } from './budget-server.ts';
import { Journal, MAX_JOURNAL } from './journal.ts';
import { JournalFile } from './journal-file.ts';
import { Leases } from './lease/leases.ts';
import { fullPurses, WHOLE } from './lease/room.ts';
import { SLICE_RULE, type SliceRule } from './lease/slice.ts';
import { steadyClock } from './lease/steady-clock.ts';
import { MACHINE_TIMERS } from './line.ts';
import { LocalShare } from './local-share.ts';
import { beatMsOf, beatsOf, Pulse } from './pulse.ts';
import { commonOptionsOf, type ReadServerStoreOptions } from './server-store-options.ts';
import { type OwnCall, Upstream } from './upstream.ts';

/** A budget whose books a server keeps: time limits, heart-beats, a journal, and what happens while the server is away. */
export class ServerBudgetStore implements BudgetStore {
  readonly #server: BudgetServer;
  readonly #options: ReadServerStoreOptions;
  readonly #upstream: Upstream;
  readonly #pulse: Pulse;
  readonly #journal: Journal;
  readonly #local: LocalShare;
  readonly #leases: Leases | undefined;
  readonly #agreement: Agreement;

  /** `rule` says how large the leases are. */
  constructor(server: BudgetServer, options: ReadServerStoreOptions, rule: SliceRule = SLICE_RULE) {
    const { timers = MACHINE_TIMERS, reservationMs, callMs, journalFile } = options;
    const { timeoutMs, attempts, localShare, now = steadyClock() } = options;
    this.#server = server;
    this.#options = options;
    const tellUser = (error: unknown): void => tell(options.onError ?? ignore, error);
    const note: NoteOptions = (...of) =>
      this.#upstream.ask(async () => server.agree?.(...of) ?? {});
    this.#agreement = new Agreement({
      what: `the budget '${options.budget}'`,
      own: commonOptionsOf(options),
      ask: server.agree && note,
      tell: tellUser,
    });
    const file = journalFile === undefined ? undefined : new JournalFile(journalFile);
    this.#journal = new Journal(file, tellUser);
    this.#upstream = new Upstream({
      server,
      journal: this.#journal,
      timeoutMs,
      attempts,
      timers,
      onError: tellUser,
      onBooked: (id) => this.#pulse.drop(id),
      onBack: () => this.#local.begin(),
    });
    this.#pulse = new Pulse({
      reservationMs,
      callMs,
      timers,
      keep: async (all) => {
        const ids = all.filter((id) => !this.#leases?.isRenewing(id));
        if (ids.length === 0) return [];
        const from = now();
        const gone = await this.#upstream.ask(() => server.keep(ids));
        this.#leases?.kept(ids, gone, from);
        return gone;
      },
      onBeat: () => this.#leases?.beat(),
    });
    this.#local = new LocalShare(localShare);
    if (!options.lease) return;
    this.#leases = new Leases({
      rule,
      now,
      timers,
      lifeMs: reservationMs,
      beatMs: beatMsOf(reservationMs),
      beats: beatsOf(callMs, reservationMs),
      isExcessBooked: options.excess === 'refuse-next',
      journal: this.#journal,
      pulse: this.#pulse,
      seen: (name) => this.#local.seen(name),
      send: (request) => this.#lease(request),
      isUp: () => this.#upstream.isUp,
      giveUp: (id) => this.#upstream.giveUp(id),
    });
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
    const admission =
      this.#leases && (await this.#admitFromLease(this.#leases, id, whole, limits, purses));
    if (admission !== undefined) return admission;
    const result = await this.#reserve(id, whole, limits, purses);
    if (this.#leases === undefined) return result;
    const isAsked =
      !result.isGranted &&
      (await this.#makeRoom(this.#leases, result, { amount: whole, purses }, limits));
    const { isGranted, totals } = isAsked ? await this.#reserve(id, whole, limits, purses) : result;
    const names = purses.map(({ name }) => name);
    return { isGranted, totals: this.#leases.seenFrom(totals, names) };
  }

  async settle(
    id: string | undefined,
    actual: Amount,
    purses: readonly string[] = [],
  ): Promise<BudgetTotals> {
    // With an id, it can be sent again.
    const booking = { id: id ?? randomUUID(), actual: checked('actual', actual), purses };
    if (this.#leases?.settle(booking)) return this.#seen(purses);
    try {
      const totals = await this.#upstream.ask(() => this.#server.settle(booking));
      this.#local.see(totals, purses);
      this.#end(booking.id);
      return this.#fromHere(totals, purses);
    } catch {
      this.#upstream.keep(booking);
      this.#local.settle(booking.id, booking.actual, purses);
      return this.#seen(purses);
    }
  }

  async totals(purses: readonly string[] = []): Promise<BudgetTotals> {
    try {
      await this.#leases?.renewed();
      const totals = await this.#upstream.ask(() => this.#server.totals(purses));
      this.#agreement.seek();
      this.#local.see(totals, purses);
      return this.#fromHere(totals, purses);
    } catch (error) {
      if (this.#options.failMode === 'closed') throw error;
      return this.#seen(purses);
    }
  }

  /** Compares options with those of the other processes, with the next answer of the server. `onError` hears of a difference. */
  agree(options: CommonOptions): void {
    this.#agreement.add(options);
  }

  /**
   * Waits until all that was settled so far is booked, and gives back what is held ahead of calls. Calls go on, and may lease anew.
   * @throws {@link UnreachableServerError}
   */
  async flush(): Promise<void> {
    await this.#upstream.flush();
    await this.#leases?.giveBack();
  }

  /**
   * Ends the timers. What is still reserved expires; what is held ahead of calls is given back, without waiting for that. The
   * client stays open: it belongs to the caller.
   */
  close(): void {
    this.#pulse.close();
    this.#upstream.close();
    this.#leases?.close();
    this.#leases?.giveBack().catch(ignore);
  }

  /** Admits a call without asking the server, or refuses one that is over; undefined if the server has to decide. */
  async #admitFromLease(
    leases: Leases,
    id: string,
    amount: Amount,
    limits: BudgetLimits,
    purses: readonly Purse[],
  ): Promise<ReservationResult | undefined> {
    const names = purses.map(({ name }) => name);
    if (this.#journal.isLeased(id)) return { isGranted: false, totals: this.#seen(names) };
    // What the server holds under an id, or has booked, is its matter.
    if (this.#pulse.has(id) || leases.isSettled(id)) return undefined;
    if (await leases.admit(id, amount, limits, purses)) {
      return { isGranted: true, totals: this.#seen(names) };
    }
    await leases.refresh();
    return undefined;
  }

  /** Gives back what this process holds ahead of its calls, if only that was in the way of one. Whether it did. */
  async #makeRoom(
    leases: Leases,
    { totals }: ReservationResult,
    { amount, purses }: OwnCall,
    limits: BudgetLimits,
  ): Promise<boolean> {
    const names = purses.map(({ name }) => name);
    if (fullPurses(leases.seenFrom(totals, names), amount, limits, purses).length > 0) return false;
    const full = fullPurses(totals, amount, limits, purses);
    const isInTheWay = (held: readonly string[]): boolean =>
      full.some((name) => name === WHOLE || held.includes(name));
    try {
      await leases.giveBack(isInTheWay);
      return full.length > 0;
    } catch {
      return false;
    }
  }

  async #reserve(
    id: string,
    whole: Amount,
    limits: BudgetLimits,
    purses: readonly Purse[],
  ): Promise<ReservationResult> {
    const names = purses.map(({ name }) => name);
    let sent = 0;
    try {
      const result = await this.#upstream.ask(() => {
        sent++;
        return this.#server.reserve(id, whole, limits, purses);
      });
      this.#agreement.seek();
      this.#local.see(result.totals, names);
      if (result.isGranted) {
        this.#pulse.hold(id);
        this.#leases?.admitted(id, limits, purses);
      }
      // What was granted at first, and refused when sent again, would be held for nobody.
      else if (sent > 1) this.#upstream.giveUp(id);
      return result;
    } catch (error) {
      return this.#reserveAlone(error, id, { amount: whole, purses }, limits, sent > 0);
    }
  }

  async #lease(request: LeaseRequest): Promise<LeaseAnswer> {
    const answer = await this.#upstream.ask(() => this.#server.lease(request));
    this.#local.see(
      answer.totals,
      request.purses.map(({ name }) => name),
    );
    return answer;
  }

  /** The books of the server as they are for the calls of this process. */
  #fromHere(totals: BudgetTotals, names: readonly string[]): BudgetTotals {
    return this.#leases?.seenFrom(totals, names) ?? totals;
  }

  /** The books as far as they are known. */
  #seen(names: readonly string[]): BudgetTotals {
    return this.#fromHere(this.#local.totals(names), names);
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
      this.#upstream.tellLater(id, call);
      this.#pulse.hold(id);
    } else if (wasSent) this.#upstream.giveUp(id);
    if (failMode === 'closed') throw error;
    return { isGranted, totals: this.#local.totals(purses.map(({ name }) => name)) };
  }

  #end(id: string): void {
    this.#pulse.drop(id);
    this.#upstream.ended(id);
  }
}

function withoutLimits({ name }: Purse): Purse {
  return { name };
}

function ignore(): void {}
