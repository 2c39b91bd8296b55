import { type Timers, within } from '../../deadline.ts';
import { BudgetStoreError } from '../../errors.ts';
import { andThen, isPromise, type MaybePromise } from '../../maybe-promise.ts';
import { amount, type Codec, list, nullable, record, text } from '../../state/codec.ts';
import { type Amount, add, NOTHING, subtract } from '../amount.ts';
import type {
  BudgetLimits,
  BudgetStore,
  BudgetTotals,
  Purse,
  ReservationResult,
} from './budget-store.ts';

/** Options of {@link UnsettledStore}. @internal */
export interface UnsettledStoreOptions {
  /** Milliseconds that a reservation waits for a booking that is made again. */
  readonly timeoutMs: number;
  readonly timers: Timers;
  /** What the store holds under an id, as far as is known. */
  readonly heldUnder: (id: string) => Amount;
}

/** A settlement that the store has failed, as it is asked for again. @internal */
export interface Owed {
  readonly id: string | null;
  readonly actual: Amount;
  readonly purses: readonly string[];
  /** What it takes beyond its reservation, which the store goes on holding. */
  readonly excess: Amount;
}

/** Beyond so many, no further call is admitted. */
const MAX_UNSETTLED = 1000;

const AMOUNT: Codec<Amount> = record<Amount>({ nanoUsd: amount, tokens: amount });

/** How they are written in a snapshot and read back. @internal */
export const OWED: Codec<readonly Owed[]> = list(
  record<Owed>({ id: nullable(text), actual: AMOUNT, purses: list(text), excess: AMOUNT }),
  MAX_UNSETTLED,
);

/**
 * Keeps what a store has failed to settle, and settles it again before the next call. Until then it counts as spent.
 *
 * Only what the store refused is settled again: a booking that was answered, or is not answered yet, may be on its books.
 * @internal
 */
export class UnsettledStore implements BudgetStore {
  readonly #store: BudgetStore;
  readonly #timeoutMs: number;
  readonly #timers: Timers;
  readonly #heldUnder: (id: string) => Amount;
  /** The one to be settled next first. */
  readonly #unsettled: Set<Owed> = new Set();
  #retry: Promise<undefined> | undefined;

  constructor(store: BudgetStore, { timeoutMs, timers, heldUnder }: UnsettledStoreOptions) {
    this.#store = store;
    this.#timeoutMs = timeoutMs;
    this.#timers = timers;
    this.#heldUnder = heldUnder;
  }

  /** What is owed, as a snapshot holds it. */
  get unsettled(): readonly Owed[] {
    return [...this.#unsettled];
  }

  set unsettled(bookings: readonly Owed[]) {
    this.#unsettled.clear();
    for (const booking of bookings) this.#unsettled.add(booking);
  }

  /** What was spent out of a purse, or of the whole budget, and is not on the books of the store. */
  owed(purse?: string): Amount {
    let owed = NOTHING;
    for (const { excess, purses } of this.#unsettled) {
      if (purse === undefined || purses.includes(purse)) owed = add(owed, excess);
    }
    return owed;
  }

  reserve(
    id: string,
    amount: Amount,
    limits: BudgetLimits,
    purses: readonly Purse[] = [],
  ): MaybePromise<ReservationResult> {
    return andThen(this.#settleAgain(), () => {
      if (this.#unsettled.size >= MAX_UNSETTLED) {
        throw new BudgetStoreError('settle', `failed for ${MAX_UNSETTLED} calls, which are owed`);
      }
      const left = purses.map((purse) => ({ ...purse, ...less(purse, this.owed(purse.name)) }));
      return this.#store.reserve(id, amount, less(limits, this.owed()), left);
    });
  }

  settle(
    id: string | undefined,
    actual: Amount,
    purses: readonly string[] = [],
  ): MaybePromise<BudgetTotals> {
    // A store that hangs there must not hold up this booking, which would be lost then.
    void this.#settleAgain();
    const held = id === undefined ? NOTHING : this.#heldUnder(id);
    const { nanoUsd, tokens } = subtract(actual, held);
    const excess = { nanoUsd: Math.max(0, nanoUsd), tokens: Math.max(0, tokens) };
    return this.#settle({ id: id ?? null, actual, purses, excess });
  }

  totals(purses?: readonly string[]): MaybePromise<BudgetTotals> {
    return this.#store.totals(purses);
  }

  #settle(booking: Owed): MaybePromise<BudgetTotals> {
    const { id, actual, purses } = booking;
    const failed = (error: unknown): never => {
      // Beyond that many nothing is admitted, so that only calls under way are forgotten, each told as an error.
      if (this.#unsettled.size < MAX_UNSETTLED) this.#unsettled.add(booking);
      throw error;
    };
    try {
      const answer = this.#store.settle(id ?? undefined, actual, purses);
      return isPromise(answer) ? Promise.resolve(answer).then(undefined, failed) : answer;
    } catch (error) {
      return failed(error);
    }
  }

  /** Settles again until one fails, which is the last to be tried then. */
  #settleAgain(): MaybePromise<undefined> {
    if (this.#retry !== undefined) return this.#retry;
    for (const booking of [...this.#unsettled]) {
      this.#unsettled.delete(booking);
      try {
        const answer = this.#settle(booking);
        if (isPromise(answer)) return this.#goOnAfter(answer);
      } catch {
        return undefined;
      }
    }
    return undefined;
  }

  #goOnAfter(answer: Promise<unknown>): Promise<undefined> {
    const late = (): never => {
      throw new BudgetStoreError('settle', `gave no answer within ${this.#timeoutMs} ms`);
    };
    const done = (): undefined => {
      this.#retry = undefined;
    };
    const retry = within(answer, this.#timeoutMs, this.#timers, late).then(() => {
      done();
      return this.#settleAgain();
    }, done);
    this.#retry = retry;
    return retry;
  }
}

/** What `owed` leaves of the limits. */
function less({ nanoUsd, tokens }: BudgetLimits, owed: Amount): BudgetLimits {
  return {
    ...(nanoUsd !== undefined && { nanoUsd: Math.max(0, nanoUsd - owed.nanoUsd) }),
    ...(tokens !== undefined && { tokens: Math.max(0, tokens - owed.tokens) }),
  };
}
