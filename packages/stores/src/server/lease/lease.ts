import { randomUUID } from 'node:crypto';
import type { Amount, BudgetLimits, Purse } from '@teamfuse/core/kit';
import { clamped, minus, NOTHING, plus, UNITS } from '../amounts.ts';
import type { Booking, LeaseAnswer, LeaseRequest } from '../budget-server.ts';
import type { OwnBooks } from './own-books.ts';

/** The part of a lease's life for which its process uses it: the clocks of the two may differ by so much in rate. */
const USED_PART = 0.9;
/** At this age the heart-beats should have prolonged it. */
const DUE_PART = 1 / 2;
/** A lease is renewed before it is used up, so that calls need not wait for that. */
const LOW_PART = 1 / 4;

/** Options of a {@link Lease}. */
export interface LeaseOptions {
  readonly limits: BudgetLimits;
  readonly purses: readonly Purse[];
  readonly lifeMs: number;
  /** How many heart-beats a call that is never settled goes through. */
  readonly beats: number;
  /** Whether a call may be booked beyond what it has reserved. */
  readonly isExcessBooked: boolean;
  readonly books: OwnBooks;
}

interface LeasedCall {
  readonly amount: Amount;
  until: number;
  beats: number;
}

interface Waiting {
  readonly booking: Booking;
  /** What it takes from the lease. */
  readonly taken: Amount;
}

/** A slice of a budget that this process holds ahead of its calls, which are admitted from it without a round trip. */
export class Lease {
  readonly id: string = randomUUID();
  readonly names: readonly string[];
  readonly limits: BudgetLimits;
  readonly purses: readonly Purse[];
  readonly #options: LeaseOptions;
  readonly #calls: Map<string, LeasedCall> = new Map();
  readonly #waiting: Map<string, Waiting> = new Map();
  #number = 0;
  /** What the server holds for it, as of its last answer. */
  #held: Amount = NOTHING;
  /** What of that calls under way hold. */
  #underWay: Amount = NOTHING;
  /** What calls may be admitted from. */
  #idle: Amount = NOTHING;
  #granted: Amount = NOTHING;
  /** When this process asked for what the server has granted last. */
  #from = Number.NEGATIVE_INFINITY;
  #isLeaving = false;
  #isOver = false;
  #isUsed = true;

  constructor(options: LeaseOptions) {
    this.#options = options;
    this.limits = options.limits;
    this.purses = options.purses;
    this.names = options.purses.map(({ name }) => name);
  }

  /** How many settlements wait for the server. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Whether the server holds nothing for it any more. */
  get isOver(): boolean {
    return this.#isOver;
  }

  get hasCalls(): boolean {
    return this.#calls.size > 0;
  }

  /** What is held ahead of calls. */
  get idle(): Amount {
    return clamped(this.#idle, this.#idle);
  }

  /** Whether it is nearly used up. */
  get isLow(): boolean {
    return UNITS.some((unit) => this.#idle[unit] < LOW_PART * this.#granted[unit]);
  }

  /** Whether nothing was to be held ahead of calls at the last renewal. */
  get isEmpty(): boolean {
    return UNITS.every((unit) => this.#granted[unit] <= 0);
  }

  /** Whether calls may be admitted from it, by the clock of this process. */
  isOpen(now: number): boolean {
    return now < this.#from + USED_PART * this.#options.lifeMs && !this.#isLeaving;
  }

  /** Whether the time to renew it has come, which the heart-beats have missed. */
  isDue(now: number): boolean {
    return now >= this.#from + DUE_PART * this.#options.lifeMs;
  }

  /** Admits a call, or a call again with another amount. */
  admit(id: string, amount: Amount, now: number): boolean {
    if (!this.isOpen(now)) return false;
    const before = this.#calls.get(id)?.amount ?? NOTHING;
    const idle = minus(plus(this.#idle, before), amount);
    if (UNITS.some((unit) => amount[unit] > 0 && idle[unit] < 0)) return false;
    this.#take(minus(amount, before));
    this.#calls.delete(id);
    const { lifeMs, beats } = this.#options;
    this.#calls.set(id, { amount, until: now + lifeMs, beats });
    this.#isUsed = true;
    return true;
  }

  /** Lets go of a call that the server has admitted instead. */
  drop(id: string): void {
    const call = this.#calls.get(id);
    if (call === undefined) return;
    this.#calls.delete(id);
    this.#take(minus(NOTHING, call.amount));
  }

  /** What is to be booked for a call that was admitted from it. */
  bookingOf({ id, actual, purses }: Booking): Booking | undefined {
    const reserved = this.#calls.get(id)?.amount;
    return reserved && { id, actual, purses, lease: this.id, reserved };
  }

  /** Ends a call, whose booking waits for the next renewal. */
  settle(booking: Booking): void {
    const { id, actual, purses, reserved = NOTHING } = booking;
    this.drop(id);
    const taken = this.#options.isExcessBooked ? actual : clamped(actual, reserved);
    this.#idle = minus(this.#idle, taken);
    this.#waiting.set(id, { booking, taken });
    this.#options.books.wait(purses, taken);
  }

  /** A heart-beat: the calls live on. Returns whether it was used since the last one. */
  beat(now: number): boolean {
    for (const call of this.#calls.values()) {
      if (call.beats-- > 0) call.until = now + this.#options.lifeMs;
    }
    const wasUsed = this.#isUsed || this.hasCalls;
    this.#isUsed = false;
    return wasUsed;
  }

  /** Lets go of calls that were never settled. Returns their ids. */
  expire(now: number): readonly string[] {
    const over = [...this.#calls].filter(([, { until }]) => until <= now).map(([id]) => id);
    for (const id of over) this.drop(id);
    return over;
  }

  /** What to tell the server, in order to hold so much ahead of calls. Until the answer comes, no more than that is used. */
  request(wanted: Amount, parts: number, isLeaving: boolean): LeaseRequest {
    const isOver = this.#isOver || (isLeaving && !this.hasCalls);
    this.#isLeaving ||= isOver;
    this.#idle = clamped(this.#idle, wanted);
    return {
      id: this.id,
      number: ++this.#number,
      isOver,
      limits: this.limits,
      purses: this.purses,
      bookings: Array.from(this.#waiting.values(), ({ booking }) => booking),
      calls: this.#underWay,
      kept: this.#idle,
      wanted,
      parts,
    };
  }

  /** Takes the answer to a request that was sent at `from`. */
  answered(request: LeaseRequest, { isHeld, idle }: LeaseAnswer, from: number): void {
    for (const { id, purses } of request.bookings) {
      const { taken = NOTHING } = this.#waiting.get(id) ?? {};
      this.#waiting.delete(id);
      this.#options.books.wait(purses, minus(NOTHING, taken));
    }
    if (!isHeld) {
      this.#end();
      return;
    }
    // An end that the server has not heard of is none.
    this.#isLeaving = false;
    this.#hold(plus(request.calls, idle));
    this.#idle = plus(this.#idle, minus(idle, request.kept));
    this.#granted = this.#idle;
    this.keptFrom(from);
  }

  /** Admits no more calls, until the server confirms that it is still held. */
  close(): void {
    this.#from = Number.NEGATIVE_INFINITY;
  }

  /** The server has prolonged it, which it was asked for at `from`. */
  keptFrom(from: number): void {
    this.#from = Math.max(this.#from, from);
  }

  /** Ids of the calls under way. */
  calls(): readonly string[] {
    return [...this.#calls.keys()];
  }

  #end(): void {
    this.#hold(this.#underWay);
    this.#calls.clear();
    this.#held = NOTHING;
    this.#underWay = NOTHING;
    this.#idle = NOTHING;
    this.close();
    this.#isOver = true;
  }

  #hold(held: Amount): void {
    this.#options.books.hold(this.names, minus(held, this.#held));
    this.#held = held;
  }

  /** Moves an amount from what is idle to the calls under way. */
  #take(amount: Amount): void {
    this.#idle = minus(this.#idle, amount);
    this.#underWay = plus(this.#underWay, amount);
    this.#options.books.hold(this.names, minus(NOTHING, amount));
  }
}
