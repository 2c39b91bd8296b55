import type { Timers } from '../deadline.ts';
import type { Evidence, Finding } from '../finding.ts';
import { machineNow } from '../machine.ts';
import { andThen, asking, inBackground, isPromise, type MaybePromise } from '../maybe-promise.ts';
import type { UsageSignal } from '../signal/signal.ts';
import { type Amount, add, NOTHING, toNanoUsd } from './amount.ts';
import {
  type AllBooks,
  booksOf,
  exceeded,
  inDollars,
  isOver,
  tooMany,
  unpriced,
  unsized,
} from './budget-findings.ts';
import {
  BUDGET_OPTIONS,
  type BudgetOptions,
  checkBudget,
  checkRaised,
  type RaisedLimits,
} from './budget-options.ts';
import { Calendar } from './calendar.ts';
import type { BudgetAnswer, Refusal, RequestedCall, Reservation } from './calls/model-call.ts';
import { Reservations } from './calls/reservations.ts';
import { SettledCalls } from './calls/settled-calls.ts';
import { type WaitEnd, WaitingCalls } from './calls/waiting-calls.ts';
import { periodIn } from './periods.ts';
import { PurseWarnings } from './purse-warnings.ts';
import { Purses, type Spender, UNSIZED, WHOLE } from './purses.ts';
import type { BudgetLimits, BudgetStore, BudgetTotals, Purse } from './store/budget-store.ts';
import { CheckedStore } from './store/checked-store.ts';
import { MemoryBudgetStore } from './store/memory-budget-store.ts';
import type { UnsettledBooking } from './store/unsettled.ts';

export const RESERVATION_MS: number = 3_600_000;
const STORE_TIMEOUT_MS = 10_000;
const NEVER: WaitEnd = () => () => {};

/**
 * The team's spend against its limits. Each call is reserved before it is made and settled afterwards, so that running calls
 * count. A call at an unknown price is refused unless tokens are limited.
 */
export class Budget {
  readonly reservations: Reservations;
  readonly warnings: PurseWarnings;
  readonly settled: SettledCalls = new SettledCalls();
  /** The store in memory, unless there is a custom one. */
  readonly memory: MemoryBudgetStore | undefined;
  readonly #checked: CheckedStore | undefined;
  readonly #store: BudgetStore;
  readonly #purses: Purses;
  readonly #waiting: WaitingCalls;
  readonly #windowMs: number | undefined;
  readonly #waits: boolean;
  readonly #now: () => number;
  readonly #timeZone: string;
  #calendar: Calendar | undefined;

  /** @throws {@link InvalidOptionError} */
  constructor(
    options: BudgetOptions = {},
    now: () => number = machineNow,
    timers?: Timers,
    maxReservations?: number,
  ) {
    checkBudget(options);
    const { reservationMs = RESERVATION_MS, storeTimeoutMs: timeoutMs = STORE_TIMEOUT_MS } =
      options;
    const { spentUsd = 0, windowMs, store } = options;
    const reservations = new Reservations(reservationMs, maxReservations);
    if (store === undefined) {
      const spent = { nanoUsd: toNanoUsd(spentUsd), tokens: 0 };
      const isKept = (purse: string): boolean => this.#purses.isDeclared(purse, this.#today);
      this.memory = new MemoryBudgetStore(spent, { windowMs, reservationMs, now, isKept });
      this.#store = this.memory;
    } else {
      const amountUnder = (id: string): Amount => reservations.amountUnder(id);
      this.#checked = new CheckedStore(store, { timeoutMs, timers, amountUnder });
      this.#store = this.#checked;
    }
    this.reservations = reservations;
    this.#purses = new Purses(options);
    this.#waiting = new WaitingCalls({
      now,
      timers,
      reservations,
      ask: (call) => this.#ask(call),
      pursesOf: (call) => this.#namesOf(call, this.#purses.of(call, this.#today)),
      discard: (reservation) => this.#discard(reservation),
      storeLagMs: store === undefined ? 1 : timeoutMs,
    });
    this.warnings = new PurseWarnings(options.warnAt);
    this.#windowMs = windowMs;
    this.#waits = options.whenFull === 'wait';
    this.#now = now;
    this.#timeZone = options.timeZone ?? BUDGET_OPTIONS.timeZone.default;
  }

  /** What a custom store failed to book. */
  get unsettled(): readonly UnsettledBooking[] {
    return this.#checked?.unsettled.bookings ?? [];
  }

  set unsettled(bookings: readonly UnsettledBooking[]) {
    if (this.#checked !== undefined) this.#checked.unsettled.bookings = bookings;
  }

  /**
   * Changes the given limits, and asks again for calls that wait.
   * @throws {@link InvalidOptionError}
   */
  raise(limits: RaisedLimits): void {
    checkRaised(limits);
    this.#purses.raise(limits);
    this.#waiting.serve();
  }

  get isLimited(): boolean {
    return this.#purses.isLimited;
  }

  get limitsMoney(): boolean {
    return this.#purses.limitsMoney;
  }

  /**
   * Reserves a call in all of its purses or in none. With `whenFull: 'wait'` it waits until `until` ends the wait, which
   * gives `undefined`.
   */
  reserve(call: RequestedCall, until: WaitEnd = NEVER): MaybePromise<BudgetAnswer | undefined> {
    const now = this.#now();
    if (!this.isLimited) return this.#granted(this.reservations.begin(call, [], now));
    // No call waits for calls that never end.
    if (this.reservations.expire(now)) this.#waiting.serve();
    if (!this.#waits) return this.#ask(call);
    const lines = this.#waiting.linesFor(call);
    if (lines.length > 0) return this.#waiting.wait(call, lines, until);
    return this.#waiting.waitAfter(this.#ask(call), call, until);
  }

  /** Releases reservations for calls that were never made, or were given up. */
  release(reservations: readonly Reservation[]): MaybePromise<undefined> {
    const released = reservations
      .filter((one) => this.reservations.drop(one) && one.purses.length > 0)
      .map((one) => this.#book(one, NOTHING, []));
    return released.some(isPromise) ? Promise.all(released).then(() => undefined) : undefined;
  }

  /** Books the actual spend of a call, and ends its reservation. */
  settle(
    reservation: Reservation | undefined,
    spender: Spender,
    actual: Amount,
    unpricedCall?: UsageSignal,
  ): MaybePromise<Finding | undefined> {
    const purses = this.#purses.of(spender, reservation?.day || this.#today);
    return andThen(this.#book(reservation, actual, purses), (books) => {
      if (unpricedCall !== undefined && this.#purses.measureOf(purses) === 'nanoUsd') {
        return this.#lasting(unpriced(unpricedCall, inDollars(books)));
      }
      const over = books.find((one) => isOver(one, NOTHING, one.purse));
      if (over !== undefined) return this.#lasting(exceeded(spender.agent, over));
      return this.warnings.due(spender.agent, books);
    });
  }

  /** The books of a spender's purses, without the reserve for calls that wrap up. */
  look(spender: Spender): MaybePromise<AllBooks> {
    return andThen(this.#look(this.#purses.of(spender, this.#today)), ([whole, ...smaller]) => {
      const purse = { name: WHOLE, ...this.#purses.withoutReserve };
      return [{ ...whole, purse }, ...smaller];
    });
  }

  /** When a full purse will have room again, by its window at the latest; `undefined` if waiting does not help. */
  roomAt({ purse = WHOLE, subject, count, limit }: Evidence): number | undefined {
    const now = this.#now();
    const { period } = periodIn(purse);
    if (period !== undefined) return this.#calendarOf().endOf(period, now);
    if (this.#windowMs === undefined) return undefined;
    const unit = subject === 'tokens' ? 'tokens' : 'nanoUsd';
    return this.memory?.roomAt(purse, unit, count - limit) ?? now + this.#windowMs;
  }

  #ask(call: RequestedCall): MaybePromise<BudgetAnswer> {
    const { agent, amount, conversation } = call;
    const { reservations } = this;
    const day = this.#today;
    const purses = this.#purses.of(call, day);
    const names = this.#namesOf(call, purses);
    if (call.isUnpriced && this.#purses.measureOf(purses) === 'nanoUsd') {
      return andThen(this.#look(purses), (books) =>
        this.#refusal(unpriced(call, inDollars(books))),
      );
    }
    if (names.includes(UNSIZED) && reservations.hasUnsized) {
      return andThen(this.#look(purses), ([whole]) =>
        this.#refusal(unsized(agent, whole), [UNSIZED]),
      );
    }
    if (reservations.isFull(conversation)) return this.#refusal(tooMany(agent, reservations.max));
    const limits = call.isWrapUp ? this.#purses.whole : this.#purses.withoutReserve;
    const reservation = reservations.begin(call, names, this.#now(), day);
    const failed = (error: unknown): never => {
      reservations.end(reservation.id);
      throw error;
    };
    try {
      const result = this.#store.reserve(reservation.id, amount, limits, purses);
      return andThen(
        result,
        ({ isGranted, totals }) => {
          if (isGranted) return this.#granted(reservation);
          reservations.end(reservation.id);
          return this.#notFitting(call, limits, booksOf(totals, this.#purses.whole, purses));
        },
        failed,
      );
    } catch (error) {
      return failed(error);
    }
  }

  #granted(reservation: Reservation): BudgetAnswer {
    this.reservations.open(reservation);
    return { reservation };
  }

  /** Why a call does not fit, and the purses it may wait for: the smaller ones that are full, or else the whole budget. */
  #notFitting(
    { agent, amount }: RequestedCall,
    limits: BudgetLimits,
    [whole, ...smaller]: AllBooks,
  ): Refusal {
    const first = { ...whole, limits };
    const all = [first, ...smaller.map((one) => ({ ...one, limits: one.purse }))];
    const over = all.filter((one) => isOver(one, add(one.totals.reserved, amount), one.limits));
    const full = over[0] ?? first;
    const others = this.reservations.countIn(full.purse.name, full.totals.reserved);
    const finding = exceeded(agent, full, { amount, limits: full.limits, others });
    if (all.some((one) => isOver(one, amount, one.limits))) return this.#refusal(finding);
    const small = over.map(({ purse }) => purse.name).filter((name) => name !== WHOLE);
    return this.#refusal(finding, small.length > 0 ? small : [WHOLE]);
  }

  /** Without own reservations in these purses, there is nothing to wait for. */
  #refusal(finding: Finding, full: readonly string[] = []): Refusal {
    const waitsFor = this.reservations.isAnyIn(full) ? full : [];
    return { finding: this.#lasting(finding), waitsFor };
  }

  #look(purses: readonly Purse[]): MaybePromise<AllBooks> {
    return andThen(
      asking(() => this.#store.totals(purses.map(({ name }) => name))),
      (totals) => booksOf(totals, this.#purses.whole, purses),
    );
  }

  /** Books spend, and then serves waiting calls, even if the store fails. */
  #book(
    reservation: Reservation | undefined,
    actual: Amount,
    purses: readonly Purse[],
  ): MaybePromise<AllBooks> {
    const isReserved = reservation !== undefined && reservation.purses.length > 0;
    const id = isReserved ? reservation.id : undefined;
    const names = purses.map(({ name }) => name);
    const end = (): void => {
      if (id !== undefined) this.reservations.end(id);
      this.#waiting.serve();
    };
    let booked: MaybePromise<BudgetTotals>;
    try {
      booked = this.#store.settle(id, actual, names);
    } catch (error) {
      booked = Promise.reject(error);
    }
    return andThen(
      booked,
      (totals) => {
        end();
        return booksOf(totals, this.#purses.whole, purses);
      },
      (error) => {
        end();
        throw error;
      },
    );
  }

  /** If the store fails, the reservation expires. */
  #discard(reservation: Reservation): void {
    inBackground(this.release([reservation]), () => {});
  }

  /** The purses of a call, and the one of calls of unknown size if it is such a call. */
  #namesOf({ isPriced, isCounted }: RequestedCall, purses: readonly Purse[]): readonly string[] {
    const names = [WHOLE, ...purses.map(({ name }) => name)];
    const measure = this.#purses.measureOf(purses);
    const isSized = measure === undefined || (measure === 'nanoUsd' ? isPriced : isCounted);
    return isSized ? names : [...names, UNSIZED];
  }

  /** With a rolling window, or in a purse of a day or a month, waiting makes room again. */
  #lasting(found: Finding): Finding {
    const isPassing =
      this.#windowMs !== undefined || periodIn(found.evidence.purse ?? '').date !== undefined;
    return isPassing ? { ...found, isPassing } : found;
  }

  /** Today, if any purse depends on it. */
  get #today(): string {
    if (!this.#purses.hasPeriods) return '';
    return this.#calendarOf().dayAt(this.#now());
  }

  #calendarOf(): Calendar {
    this.#calendar ??= new Calendar(this.#timeZone);
    return this.#calendar;
  }
}
