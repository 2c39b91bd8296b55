import { MACHINE_TIMERS } from '../../common/clock.ts';
import { type Timers, withTimeout } from '../../common/deadline.ts';
import { InvalidOptionError } from '../../common/errors.ts';
import { inBackground, isPromise, type MaybePromise, tell } from '../../common/maybe-promise.ts';
import { orInvalid } from '../../common/options.ts';
import { type Amount, beyond, NOTHING } from '../amount.ts';
import { failure, readResult, readTotals } from './answers.ts';
import {
  type BudgetLimits,
  type BudgetStore,
  BudgetStoreError,
  type BudgetTotals,
  type Purse,
  type ReservationResult,
} from './budget-store.ts';
import { MAX_UNSETTLED, Unsettled, type UnsettledBooking } from './unsettled.ts';

/** Options of a {@link CheckedStore}. */
interface CheckedStoreOptions {
  readonly timeoutMs: number;
  readonly timers?: Timers | undefined;
  /** The reservation of an id. */
  readonly amountUnder: (id: string) => Amount;
}

const MEMBERS: readonly (keyof BudgetStore)[] = ['reserve', 'settle', 'totals'];

/**
 * A custom store whose answers are checked and must arrive in time; otherwise it throws a {@link BudgetStoreError} and releases
 * what the store may have reserved.
 *
 * A settlement that the store rejects is repeated before the next call. One with a wrong or late answer may have been booked, and
 * is not repeated.
 */
export class CheckedStore implements BudgetStore {
  readonly unsettled: Unsettled = new Unsettled();
  readonly #store: BudgetStore;
  readonly #timeoutMs: number;
  readonly #timers: Timers;
  readonly #amountUnder: (id: string) => Amount;
  #retry: Promise<undefined> | undefined;

  /** @throws {@link InvalidOptionError} when it is no store at all. */
  constructor(
    store: BudgetStore,
    { timeoutMs, timers = MACHINE_TIMERS, amountUnder }: CheckedStoreOptions,
  ) {
    for (const member of MEMBERS) {
      const expected = `an object with a method ${member}`;
      const method = orInvalid('budget.store', expected, store, () => Object(store)[member]);
      if (typeof method !== 'function') {
        throw new InvalidOptionError('budget.store', expected, store);
      }
    }
    this.#store = store;
    this.#timeoutMs = timeoutMs;
    this.#timers = timers;
    this.#amountUnder = amountUnder;
  }

  reserve(
    id: string,
    amount: Amount,
    limits: BudgetLimits,
    purses: readonly Purse[] = [],
  ): MaybePromise<ReservationResult> {
    let isLate = false;
    const read = (answer: unknown): ReservationResult => {
      try {
        const { isGranted, totals } = readResult(answer, purses.length);
        return { isGranted, totals: this.unsettled.with(totals, namesOf(purses)) };
      } catch (error) {
        this.#release(id);
        throw error;
      }
    };
    try {
      const retried = this.#settleAgain();
      const answer =
        retried === undefined
          ? this.#store.reserve(id, amount, ...this.#left(limits, purses))
          : retried.then(() => this.#store.reserve(id, amount, ...this.#left(limits, purses)));
      if (!isPromise(answer)) return read(answer);
      // Call `then` only once: each call may start the query anew.
      const pending = Promise.resolve(answer);
      // A call that was refused meanwhile must not keep a late grant.
      pending.then(() => isLate && this.#release(id), ignore);
      return this.#read('reserve', pending, read, () => {
        isLate = true;
      });
    } catch (error) {
      throw failure('reserve', error);
    }
  }

  settle(
    id: string | undefined,
    actual: Amount,
    purses: readonly string[] = [],
  ): MaybePromise<BudgetTotals> {
    // Not awaited: a store that hangs would block this booking, which would be lost.
    inBackground(this.#settleAgain(), ignore);
    const excess = beyond(actual, id === undefined ? NOTHING : this.#amountUnder(id));
    try {
      const answer = this.#book({ id: id ?? null, actual, purses, excess });
      return this.#readBooks('settle', answer, purses);
    } catch (error) {
      throw failure('settle', error);
    }
  }

  totals(purses: readonly string[] = []): MaybePromise<BudgetTotals> {
    try {
      return this.#readBooks('totals', this.#store.totals(purses), purses);
    } catch (error) {
      throw failure('totals', error);
    }
  }

  /** Tells the store which options its processes need to have in common. Its answer is ignored. */
  agree(options: Readonly<Record<string, string>>): void {
    tell((own) => this.#store.agree?.(own), options);
  }

  #readBooks(
    member: 'settle' | 'totals',
    answer: unknown,
    purses: readonly string[],
  ): MaybePromise<BudgetTotals> {
    return this.#read(member, answer, (given) =>
      this.unsettled.with(readTotals(member, given, purses.length), purses),
    );
  }

  /** Reads an answer, which must arrive in time. */
  #read<T>(
    member: keyof BudgetStore,
    answer: unknown,
    read: (answer: unknown) => T,
    late?: () => void,
  ): MaybePromise<T> {
    if (!isPromise(answer)) return read(answer);
    return this.#inTime(member, Promise.resolve(answer), late)
      .then(read)
      .catch((error: unknown) => {
        throw failure(member, error);
      });
  }

  #left(limits: BudgetLimits, purses: readonly Purse[]): [BudgetLimits, readonly Purse[]] {
    if (this.unsettled.isFull) {
      const problem = `failed for ${MAX_UNSETTLED} calls; further calls are refused until the store books them`;
      throw new BudgetStoreError('settle', problem);
    }
    return [this.unsettled.left(limits), this.unsettled.leftOf(purses)];
  }

  #inTime(
    member: keyof BudgetStore,
    pending: Promise<unknown>,
    late: () => void = ignore,
  ): Promise<unknown> {
    return withTimeout(pending, this.#timeoutMs, this.#timers, () => {
      late();
      throw new BudgetStoreError(member, `did not answer within ${this.#timeoutMs} ms`);
    });
  }

  /** Ignores errors: the caller reports the one that led here. */
  #release(id: string): void {
    try {
      inBackground(this.#book({ id, actual: NOTHING, purses: [], excess: NOTHING }), ignore);
    } catch {
      // It is repeated, too.
    }
  }

  /** Settles a booking, and keeps it for a retry if that fails. */
  #book(booking: UnsettledBooking): unknown {
    const { id, actual, purses } = booking;
    const failed = (error: unknown): never => {
      this.unsettled.add(booking);
      throw error;
    };
    try {
      const answer = this.#store.settle(id ?? undefined, actual, purses);
      return isPromise(answer) ? Promise.resolve(answer).then(undefined, failed) : answer;
    } catch (error) {
      return failed(error);
    }
  }

  /** Retries settlements until one fails. */
  #settleAgain(): Promise<undefined> | undefined {
    if (this.#retry !== undefined) return this.#retry;
    for (const booking of this.unsettled.bookings) {
      this.unsettled.remove(booking);
      try {
        const answer = this.#book(booking);
        if (isPromise(answer)) return this.#goOnAfter(answer);
      } catch {
        return undefined;
      }
    }
    return undefined;
  }

  #goOnAfter(answer: Promise<unknown>): Promise<undefined> {
    const done = (): undefined => {
      this.#retry = undefined;
    };
    this.#retry = this.#inTime('settle', answer).then(() => {
      done();
      return this.#settleAgain();
    }, done);
    return this.#retry;
  }
}

function namesOf(purses: readonly Purse[]): readonly string[] {
  return purses.map(({ name }) => name);
}

function ignore(): void {}
