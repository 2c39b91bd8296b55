import { machineNow, steady } from '../common/clock.ts';
import type { Timers } from '../common/deadline.ts';
import { andThen, inBackground, isPromise, type MaybePromise } from '../common/maybe-promise.ts';
import { readOptions } from '../common/option-table.ts';
import type { OnCancel } from '../common/waiter.ts';
import type { Finding } from '../detection/finding.ts';
import type { UsageSignal } from '../signal/signal.ts';
import { type Amount, add, NOTHING } from './amount.ts';
import {
  type AllBooks,
  type BoundBooks,
  booksOf,
  exceeded,
  exceeds,
  inDollars,
  limitsAlone,
  tooMany,
  unpriced,
  unsized,
} from './budget-findings.ts';
import {
  type BudgetOptions,
  checkBudget,
  RAISED_OPTIONS,
  type RaisedLimits,
} from './budget-options.ts';
import {
  type BudgetAnswer,
  type Refusal,
  type RequestedCall,
  type Reservation,
  Reservations,
} from './calls/reservations.ts';
import { SettledCalls } from './calls/usage-cost.ts';
import { WaitingCalls } from './calls/waiting-calls.ts';
import { Ledger } from './ledger.ts';
import { PurseWarnings } from './purse-warnings.ts';
import { type Spender, UNSIZED, WHOLE } from './purses.ts';
import type { BudgetLimits, Purse } from './store/budget-store.ts';

const NEVER: OnCancel = () => () => {};

/**
 * The team's spend against its limits. Each call is reserved before it is made and settled afterwards, so that running calls
 * count. A call at an unknown price is refused unless tokens are limited.
 */
export class Budget {
  readonly reservations: Reservations;
  readonly warnings: PurseWarnings;
  readonly settled: SettledCalls = new SettledCalls();
  readonly ledger: Ledger;
  /** Whether limits of tokens count what was read from a cache by its price. */
  readonly discountsCacheReads: boolean;
  readonly #waiting: WaitingCalls;
  readonly #waits: boolean;
  /** By which calls wait, and reservations expire. */
  readonly #steady: () => number;

  /** @throws {@link InvalidOptionError} */
  constructor(
    given: BudgetOptions = {},
    now: () => number = machineNow,
    timers?: Timers,
    maxReservations?: number,
  ) {
    const options = checkBudget(given);
    const reservations = new Reservations(options.reservationMs, maxReservations);
    const amountUnder = (id: string): Amount => reservations.amountUnder(id);
    this.ledger = new Ledger(options, { now, timers, amountUnder });
    this.reservations = reservations;
    this.#steady = steady(now);
    this.#waiting = new WaitingCalls({
      now: this.#steady,
      timers,
      reservations,
      ask: (call) => this.#tryReserve(call),
      pursesOf: (call) => this.#namesOf(call, this.#pursesOf(call)),
      // If the store fails, the reservation expires.
      discard: (reservation) => inBackground(this.release([reservation]), () => {}),
      storeLagMs: this.ledger.storeLagMs,
    });
    this.warnings = new PurseWarnings(options.warnAt);
    this.#waits = options.whenFull === 'wait';
    this.discountsCacheReads = options.cacheReads === 'by-price';
  }

  /**
   * Changes the given limits, and asks again for calls that wait.
   * @throws {@link InvalidOptionError}
   */
  raise(limits: RaisedLimits): void {
    readOptions('budget', limits, RAISED_OPTIONS);
    this.ledger.purses.raise(limits);
    this.#waiting.serve();
  }

  get isLimited(): boolean {
    return this.ledger.purses.isLimited;
  }

  get limitsMoney(): boolean {
    return this.ledger.purses.limitsMoney;
  }

  /**
   * Reserves a call in all of its purses or in none. With `whenFull: 'wait'` it waits until `until` ends the wait, which
   * gives `undefined`.
   */
  reserve(call: RequestedCall, until: OnCancel = NEVER): MaybePromise<BudgetAnswer | undefined> {
    const now = this.#steady();
    if (!this.isLimited) return this.#granted(this.reservations.begin(call, [], now));
    // No call waits for calls that never end.
    if (this.reservations.expire(now)) this.#waiting.serve();
    if (!this.#waits) return this.#tryReserve(call);
    const lines = this.#waiting.linesFor(call);
    if (lines.length > 0) return this.#waiting.wait(call, lines, until);
    return this.#waiting.waitAfter(this.#tryReserve(call), call, until);
  }

  /** Releases reservations for calls that were never made, or were given up. */
  release(reservations: readonly Reservation[]): MaybePromise<undefined> {
    const released = reservations
      .filter((one) => this.reservations.close(one) && one.purses.length > 0)
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
    const { ledger } = this;
    const purses = ledger.purses.of(spender, reservation?.day || ledger.today);
    return andThen(this.#book(reservation, actual, purses), (books) => {
      if (unpricedCall !== undefined && ledger.purses.measureOf(purses) === 'nanoUsd') {
        return ledger.markPassing(unpriced(unpricedCall, inDollars(books)));
      }
      const over = books.find((one) => exceeds(one, NOTHING, one.purse));
      if (over !== undefined) return ledger.markPassing(exceeded(spender.agent, over));
      return this.warnings.due(spender.agent, books);
    });
  }

  /** The books of a spender's purses, without the reserve for calls that wrap up. */
  readBooks(spender: Spender): MaybePromise<AllBooks> {
    return andThen(this.ledger.readBooks(this.#pursesOf(spender)), ([whole, ...smaller]) => {
      const purse = { name: WHOLE, ...this.ledger.purses.withoutReserve };
      return [{ ...whole, purse }, ...smaller];
    });
  }

  /** `alone` are limits for this call, if it is alone in their purses. */
  #tryReserve(
    call: RequestedCall,
    alone?: ReadonlyMap<string, BudgetLimits>,
  ): MaybePromise<BudgetAnswer> {
    const { agent, amount, conversation } = call;
    const { reservations, ledger } = this;
    const day = ledger.today;
    const purses = ledger.purses.of(call, day);
    const names = this.#namesOf(call, purses);
    if (call.isUnpriced && ledger.purses.measureOf(purses) === 'nanoUsd') {
      return andThen(ledger.readBooks(purses), (books) =>
        this.#refusal(unpriced(call, inDollars(books))),
      );
    }
    if (names.includes(UNSIZED) && reservations.hasUnsized) {
      return andThen(ledger.readBooks(purses), ([whole]) =>
        this.#refusal(unsized(agent, whole), [UNSIZED]),
      );
    }
    if (reservations.isFull(conversation)) return this.#refusal(tooMany(agent, reservations.max));
    const { whole, withoutReserve } = ledger.purses;
    const limits = call.isWrapUp ? whole : withoutReserve;
    const reservation = reservations.begin(call, names, this.#steady(), day);
    const failed = (error: unknown): never => {
      reservations.end(reservation.id);
      throw error;
    };
    try {
      const most = alone?.get(WHOLE) ?? limits;
      const own = alone ? purses.map((one) => ({ ...one, ...alone.get(one.name) })) : purses;
      const result = ledger.store.reserve(reservation.id, amount, most, own);
      return andThen(
        result,
        ({ isGranted, totals }) => {
          if (isGranted) return this.#granted(reservation);
          reservations.end(reservation.id);
          const [first, ...smaller] = booksOf(totals, whole, purses);
          const bound = smaller.map((one) => ({ ...one, limits: one.purse }));
          return this.#notFitting(call, [{ ...first, limits }, ...bound], alone !== undefined);
        },
        failed,
      );
    } catch (error) {
      return failed(error);
    }
  }

  #granted(reservation: Reservation): BudgetAnswer {
    this.reservations.grant(reservation);
    return { reservation };
  }

  /**
   * Begins a call alone that does not fit. If that is not possible or has `failed`, says why it does not fit, and the purses it may wait for: the smaller ones
   * that are full, or else the whole budget.
   */
  #notFitting(call: RequestedCall, all: BoundBooks, failed: boolean): MaybePromise<BudgetAnswer> {
    const { agent, amount } = call;
    const usual = { ...amount, nanoUsd: Math.min(amount.nanoUsd, call.usualNanoUsd()) };
    const alone = failed ? undefined : limitsAlone({ amount, usual }, all);
    if (alone !== undefined) return this.#tryReserve(call, alone);
    const over = all.filter((one) => exceeds(one, add(one.totals.reserved, amount), one.limits));
    const full = over[0] ?? all[0];
    const others = this.reservations.countIn(full.purse.name, full.totals.reserved);
    const finding = exceeded(agent, full, { amount, limits: full.limits, others });
    if (all.some((one) => exceeds(one, usual, one.limits))) return this.#refusal(finding);
    const small = over.map(({ purse }) => purse.name).filter((name) => name !== WHOLE);
    return this.#refusal(finding, small.length > 0 ? small : [WHOLE]);
  }

  /** Without own reservations in these purses, there is nothing to wait for. */
  #refusal(finding: Finding, full: readonly string[] = []): Refusal {
    const waitsFor = this.reservations.isAnyIn(full) ? full : [];
    return { finding: this.ledger.markPassing(finding), waitsFor };
  }

  /** Books spend, and then serves waiting calls, even if the store fails. */
  #book(
    reservation: Reservation | undefined,
    actual: Amount,
    purses: readonly Purse[],
  ): MaybePromise<AllBooks> {
    const isReserved = reservation !== undefined && reservation.purses.length > 0;
    const id = isReserved ? reservation.id : undefined;
    const end = (): void => {
      if (id !== undefined) this.reservations.end(id);
      this.#waiting.serve();
    };
    return andThen(
      this.ledger.book(id, actual, purses),
      (books) => {
        end();
        return books;
      },
      (error) => {
        end();
        throw error;
      },
    );
  }

  #pursesOf(spender: Spender): readonly Purse[] {
    return this.ledger.purses.of(spender, this.ledger.today);
  }

  /** The purses of a call, and the one of calls of unknown size if it is such a call. */
  #namesOf({ isPriced, isCounted }: RequestedCall, purses: readonly Purse[]): readonly string[] {
    const names = [WHOLE, ...purses.map(({ name }) => name)];
    const measure = this.ledger.purses.measureOf(purses);
    const isSized = measure === undefined || (measure === 'nanoUsd' ? isPriced : isCounted);
    return isSized ? names : [...names, UNSIZED];
  }
}
