import type { Amount, BudgetLimits, BudgetTotals, Purse, Timers } from '@teamfuse/core/kit';
import { NOTHING, UNITS } from '../amounts.ts';
import type { Booking, LeaseAnswer, LeaseRequest } from '../budget-server.ts';
import type { Journal } from '../journal.ts';
import type { Pulse } from '../pulse.ts';
import { Lease } from './lease.ts';
import { OwnBooks } from './own-books.ts';
import { type Place, Places, type Seen } from './places.ts';
import { RecentIds } from './recent-ids.ts';
import type { SliceRule, SliceSituation } from './slice.ts';

/** Options of {@link Leases}. */
export interface LeasesOptions {
  readonly rule: SliceRule;
  readonly now: () => number;
  readonly timers: Timers;
  readonly lifeMs: number;
  readonly beatMs: number;
  readonly beats: number;
  readonly isExcessBooked: boolean;
  readonly journal: Journal;
  readonly pulse: Pulse;
  readonly seen: Seen;
  /** Asks the server. */
  readonly send: (request: LeaseRequest) => Promise<LeaseAnswer>;
  /** Whether it has answered the last question. */
  readonly isUp: () => boolean;
  /** Releases what the server may hold under the id of a lease that nobody uses. */
  readonly giveUp: (id: string) => void;
}

/** So many leases a process has at most. */
const MAX_LEASES = 100;
/** A lease is not renewed more often than that for being unused. */
const SHORTEST_MS = 100;
/** A lease is renewed once so many settlements wait. Those that come meanwhile wait for the next renewal: calls never wait for one to end. */
const MAX_WAITING = 50;

/** The slices of a budget that this process holds ahead of its calls: one for each set of purses that it makes many calls of. */
export class Leases {
  readonly #options: LeasesOptions;
  readonly #books: OwnBooks = new OwnBooks();
  readonly #places: Places = new Places();
  /** Where each lease belongs, by its id. */
  readonly #held: Map<string, Place> = new Map();
  readonly #ofCall: Map<string, Lease> = new Map();
  readonly #renewing: Map<Lease, Promise<void>> = new Map();
  /** Of leases that are renewed before the next heart-beat. */
  readonly #timers: Map<Lease, unknown> = new Map();
  readonly #settled: RecentIds = new RecentIds();
  #isClosed = false;

  constructor(options: LeasesOptions) {
    this.#options = options;
  }

  /** The books of the server as they are for the calls of this process. */
  seenFrom(totals: BudgetTotals, names: readonly string[]): BudgetTotals {
    return this.#books.seenFrom(totals, names);
  }

  /** Whether this process has settled an id lately. */
  isSettled(id: string): boolean {
    return this.#settled.has(id);
  }

  /** Admits a call from the lease of its purses, if there is one and it suffices. */
  async admit(
    id: string,
    amount: Amount,
    limits: BudgetLimits,
    purses: readonly Purse[],
  ): Promise<boolean> {
    const place = this.#places.of(limits, purses);
    place.demand.note(amount, this.#options.now());
    const { lease } = place;
    const other = this.#ofCall.get(id);
    if (lease === undefined || (other !== undefined && other !== lease)) return false;
    if (this.#admitFrom(lease, id, amount)) return true;
    if (!lease.isOpen(this.#options.now())) this.#renewSoon(place);
    await this.#renewing.get(lease)?.catch(ignore);
    return this.#admitFrom(lease, id, amount);
  }

  /** The server has admitted a call: more of its kind perhaps deserve a lease. */
  admitted(id: string, limits: BudgetLimits, purses: readonly Purse[]): void {
    this.#ofCall.get(id)?.drop(id);
    this.#ofCall.delete(id);
    const place = this.#places.of(limits, purses);
    place.notice(this.#options.now(), this.#options.seen);
    const { lease } = place;
    if (lease !== undefined) {
      if (lease.isLow || (lease.isEmpty && !isNothing(this.#wanted(place)))) this.#renewSoon(place);
      return;
    }
    if (isNothing(this.#wanted(place)) || !this.#hasRoom()) return;
    const { lifeMs, beats, isExcessBooked } = this.#options;
    const made = new Lease({ limits, purses, lifeMs, beats, isExcessBooked, books: this.#books });
    place.lease = made;
    this.#held.set(made.id, place);
    this.#renewSoon(place);
  }

  /** Settles a call that was admitted from a lease, or settled before. False if it was neither. @throws what the journal says */
  settle(booking: Booking): boolean {
    const { id } = booking;
    this.#settled.add(id);
    if (this.#options.journal.isLeased(id)) return true;
    const lease = this.#ofCall.get(id);
    if (lease === undefined) return false;
    this.#expire(lease);
    const leased = lease.bookingOf(booking);
    if (leased === undefined) return false;
    this.#options.journal.addLeased(leased);
    lease.settle(leased);
    this.#ofCall.delete(id);
    const place = this.#held.get(lease.id);
    const isDone = lease.isEmpty && !lease.hasCalls;
    if (place !== undefined && (isDone || lease.waiting >= MAX_WAITING)) this.#renewSoon(place);
    return true;
  }

  /** A heart-beat: renews what has changed, and gives back what was not used since the last one. */
  beat(): void {
    const now = this.#options.now();
    for (const place of this.#held.values()) {
      const { lease } = place;
      if (lease === undefined) continue;
      this.#expire(lease);
      const wasUsed = lease.beat(now);
      const wanted = this.#wanted(place);
      const isTooLarge = UNITS.some((unit) => wanted[unit] < lease.idle[unit]);
      if (!wasUsed || isTooLarge || lease.waiting > 0) this.#renewSoon(place, !wasUsed);
    }
  }

  /** Whether a lease is being renewed, so that nothing else has to keep it alive. */
  isRenewing(id: string): boolean {
    const lease = this.#held.get(id)?.lease;
    return lease !== undefined && this.#renewing.has(lease);
  }

  /** The server was asked at `from` to prolong these, and holds nothing under those that are `gone`. */
  kept(ids: readonly string[], gone: readonly string[], from: number): void {
    for (const id of ids) {
      const place = this.#held.get(id);
      // The answer to a renewal that is under way tells more.
      if (place?.lease === undefined || this.#renewing.has(place.lease)) continue;
      if (gone.includes(id)) {
        place.lease.close();
        this.#renewSoon(place);
      } else place.lease.keptFrom(from);
    }
  }

  /** Books what waits in leases that may be over: others could spend that money. */
  async refresh(): Promise<void> {
    const now = this.#options.now();
    const stale = [...this.#held.values()].filter(
      ({ lease }) => lease !== undefined && lease.waiting > 0 && !lease.isOpen(now),
    );
    await Promise.allSettled(stale.map((place) => this.#renew(place, false)));
  }

  /** Waits for the renewals that are under way. */
  async renewed(): Promise<void> {
    await Promise.allSettled(this.#renewing.values());
  }

  /**
   * Settles, and gives back what is held ahead of calls: of all leases, or of those for which `isMeant`. Rejects when the server
   * does not answer.
   */
  async giveBack(isMeant: (names: readonly string[]) => boolean = () => true): Promise<void> {
    const places = [...this.#held.values()].filter(({ lease }) => lease && isMeant(lease.names));
    await Promise.allSettled(places.map(({ lease }) => lease && this.#renewing.get(lease)));
    await Promise.all(places.map((place) => this.#renew(place, true)));
  }

  /** Ends the timers. */
  close(): void {
    this.#isClosed = true;
    for (const lease of this.#timers.keys()) this.#stop(lease);
  }

  #admitFrom(lease: Lease, id: string, amount: Amount): boolean {
    const now = this.#options.now();
    if (!lease.admit(id, amount, now)) return false;
    this.#ofCall.set(id, lease);
    const place = this.#held.get(lease.id);
    if (place !== undefined && (lease.isLow || lease.isDue(now))) this.#renewSoon(place);
    return true;
  }

  /** Whether there may be one more lease; if not, the one used longest ago is given back. */
  #hasRoom(): boolean {
    if (this.#held.size < MAX_LEASES) return true;
    const oldest = this.#places.oldestAtRest();
    if (oldest !== undefined) this.#renewSoon(oldest, true);
    return false;
  }

  #wanted(place: Place): Amount {
    return this.#options.rule.wanted(this.#situation(place));
  }

  #situation(place: Place): SliceSituation {
    return place.situation(this.#options.now(), this.#options.seen);
  }

  /** Looks at a lease again once the time that it was meant for is over. */
  #wait(place: Place, lease: Lease): void {
    const { rule, timers } = this.#options;
    this.#stop(lease);
    const ms = rule.forMs(this.#situation(place));
    if (this.#isClosed || isNothing(lease.idle) || ms >= this.#options.beatMs) return;
    const ring = (): void => this.#renewSoon(place);
    this.#timers.set(lease, timers.set(ring, Math.max(SHORTEST_MS, ms)));
  }

  #stop(lease: Lease): void {
    this.#options.timers.clear(this.#timers.get(lease));
    this.#timers.delete(lease);
  }

  #renewSoon(place: Place, isLeaving = false): void {
    if (this.#options.isUp()) this.#renew(place, isLeaving).catch(ignore);
  }

  /** Renews a lease, one request at a time. */
  #renew(place: Place, isLeaving: boolean): Promise<void> {
    const { lease } = place;
    if (lease === undefined) return Promise.resolve();
    const underWay = this.#renewing.get(lease);
    if (underWay !== undefined) return underWay;
    const renewing = this.#ask(place, lease, isLeaving).finally(() => this.#renewing.delete(lease));
    this.#renewing.set(lease, renewing);
    return renewing;
  }

  async #ask(place: Place, lease: Lease, isLeaving: boolean): Promise<void> {
    const { now, rule, send, journal, pulse, giveUp } = this.#options;
    do {
      const from = now();
      this.#expire(lease);
      const wanted = isLeaving || lease.isOver ? NOTHING : this.#wanted(place);
      const request = lease.request(wanted, rule.parts, isNothing(wanted));
      const answer = await send(request).catch((error: unknown) => {
        if (request.number === 1) {
          giveUp(lease.id);
          this.#forget(place, lease);
        }
        throw error;
      });
      const orphans = answer.isHeld ? [] : lease.calls();
      lease.answered(request, answer, from);
      for (const id of orphans) this.#ofCall.delete(id);
      if (!answer.isHeld) this.#forget(place, lease);
      else {
        if (!pulse.has(lease.id)) pulse.holdOn(lease.id);
        place.notice(now(), this.#options.seen);
        this.#wait(place, lease);
      }
      journal.removeLeased(request.bookings.map(({ id }) => id));
    } while (lease.isOver && lease.waiting > 0);
  }

  #forget(place: Place, lease: Lease): void {
    this.#stop(lease);
    if (place.lease === lease) place.lease = undefined;
    this.#held.delete(lease.id);
    this.#options.pulse.drop(lease.id);
  }

  #expire(lease: Lease): void {
    for (const id of lease.expire(this.#options.now())) this.#ofCall.delete(id);
  }
}

function isNothing(amount: Amount): boolean {
  return UNITS.every((unit) => amount[unit] <= 0);
}

function ignore(): void {}
