import { MACHINE_TIMERS, type Timers, within } from '../../deadline.ts';
import { BudgetStoreError, InvalidOptionError, show } from '../../errors.ts';
import { cleanText } from '../../excerpt.ts';
import { isPromise, type MaybePromise } from '../../maybe-promise.ts';
import { type Amount, NOTHING } from '../amount.ts';
import type {
  BudgetLimits,
  BudgetStore,
  BudgetTotals,
  Purse,
  PurseTotals,
  ReservationResult,
} from './budget-store.ts';
import { type Owed, UnsettledStore } from './unsettled-store.ts';

/** Options of {@link CheckedBudgetStore}. @internal */
export interface CheckedBudgetStoreOptions {
  readonly timeoutMs: number;
  readonly timers?: Timers | undefined;
  /** What the store holds under an id, as far as is known. */
  readonly heldUnder: (id: string) => Amount;
}

const MEMBERS: readonly (keyof BudgetStore)[] = ['reserve', 'settle', 'totals'];
const CAUSE_LENGTH = 200;
/** A store that never answers must not fill the memory. */
const MAX_GIVEN_UP = 1000;

/**
 * Takes from a user's store only answers of the right form and in time; anything else is a {@link BudgetStoreError}.
 *
 * What such a store may have reserved all the same is let go of.
 * @internal
 */
export class CheckedBudgetStore implements BudgetStore {
  readonly #store: UnsettledStore;
  readonly #timeoutMs: number;
  readonly #timers: Timers;
  /** Reservations whose answer came too late, or not yet. */
  readonly #givenUp: Set<string> = new Set();

  /** @throws {@link InvalidOptionError} when it is no store at all. */
  constructor(
    store: BudgetStore,
    { timeoutMs, timers = MACHINE_TIMERS, heldUnder }: CheckedBudgetStoreOptions,
  ) {
    for (const member of MEMBERS) {
      if (typeof Object(store)[member] === 'function') continue;
      throw new InvalidOptionError('budget.store', `an object with a method ${member}`, store);
    }
    this.#store = new UnsettledStore(store, { timeoutMs, timers, heldUnder });
    this.#timeoutMs = timeoutMs;
    this.#timers = timers;
  }

  /** What the store has failed to book, as a snapshot holds it. */
  get unsettled(): readonly Owed[] {
    return this.#store.unsettled;
  }

  set unsettled(bookings: readonly Owed[]) {
    this.#store.unsettled = bookings;
  }

  /** What was spent out of a purse, or of the whole budget, and is not on the books of the store. */
  owed(purse?: string): Amount {
    return this.#store.owed(purse);
  }

  reserve(
    id: string,
    amount: Amount,
    limits: BudgetLimits,
    purses: readonly Purse[] = [],
  ): MaybePromise<ReservationResult> {
    this.#givenUp.delete(id);
    return this.#ask(
      'reserve',
      () => this.#store.reserve(id, amount, limits, purses),
      (answer) => readResult(answer, purses.length),
      id,
    );
  }

  settle(
    id: string | undefined,
    actual: Amount,
    purses: readonly string[] = [],
  ): MaybePromise<BudgetTotals> {
    return this.#ask(
      'settle',
      () => this.#store.settle(id, actual, purses),
      (answer) => readTotals('settle', answer, purses.length),
    );
  }

  totals(purses: readonly string[] = []): MaybePromise<BudgetTotals> {
    return this.#ask(
      'totals',
      () => this.#store.totals(purses),
      (answer) => readTotals('totals', answer, purses.length),
    );
  }

  #ask<T>(
    member: keyof BudgetStore,
    ask: () => unknown,
    read: (answer: unknown) => T,
    id?: string,
  ): MaybePromise<T> {
    const checked = (answer: unknown): T => {
      try {
        return read(answer);
      } catch (error) {
        if (id !== undefined) this.#letGo(id);
        throw failure(member, error);
      }
    };
    let pending: Promise<unknown>;
    try {
      const answer = ask();
      if (!isPromise(answer)) return checked(answer);
      pending = Promise.resolve(answer);
    } catch (error) {
      throw failure(member, error);
    }
    if (id !== undefined) pending.then(() => this.#answeredLate(id), ignore);
    return within(pending, this.#timeoutMs, this.#timers, () => {
      if (id !== undefined) this.#giveUp(id);
      throw new BudgetStoreError(member, `gave no answer within ${this.#timeoutMs} ms`);
    }).then(checked, (error) => {
      throw failure(member, error);
    });
  }

  #giveUp(id: string): void {
    this.#givenUp.add(id);
    const [oldest] = this.#givenUp;
    if (this.#givenUp.size > MAX_GIVEN_UP && oldest !== undefined) this.#givenUp.delete(oldest);
  }

  /** A call that was refused meanwhile must not keep what it has got at last. */
  #answeredLate(id: string): void {
    if (this.#givenUp.delete(id)) this.#letGo(id);
  }

  #letGo(id: string): void {
    try {
      const answer: unknown = this.#store.settle(id, NOTHING);
      if (isPromise(answer)) answer.then(ignore, ignore);
    } catch {
      // The failure that led here is the one to tell.
    }
  }
}

function ignore(): void {}

function failure(member: keyof BudgetStore, error: unknown): BudgetStoreError {
  if (error instanceof BudgetStoreError) return error;
  return new BudgetStoreError(member, `failed: ${cleanText(messageOf(error), CAUSE_LENGTH)}`, {
    cause: error,
  });
}

function messageOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error);
  } catch {
    return 'an error that cannot be shown';
  }
}

function readResult(answer: unknown, purses: number): ReservationResult {
  const { isGranted, totals } = Object(answer);
  if (typeof isGranted !== 'boolean') wrong('reserve', 'isGranted', 'true or false', isGranted);
  return { isGranted, totals: readTotals('reserve', totals, purses) };
}

function readTotals(member: keyof BudgetStore, answer: unknown, purses: number): BudgetTotals {
  const whole = readPurse(member, '', answer);
  if (purses === 0) return whole;
  const { purses: books } = Object(answer);
  if (!Array.isArray(books) || books.length !== purses) {
    const kept = Array.isArray(books) ? books.length : 0;
    const problem = `keeps ${kept} of ${purses} purses (of agents, models, conversations)`;
    throw new BudgetStoreError(member, problem);
  }
  return { ...whole, purses: books.map((one, i) => readPurse(member, `purses[${i}].`, one)) };
}

function readPurse(member: keyof BudgetStore, path: string, answer: unknown): PurseTotals {
  const { spent, reserved } = Object(answer);
  return {
    spent: readAmount(member, `${path}spent`, spent),
    reserved: readAmount(member, `${path}reserved`, reserved),
  };
}

function readAmount(member: keyof BudgetStore, field: string, amount: unknown): Amount {
  const { nanoUsd, tokens } = Object(amount);
  for (const [unit, value] of [
    ['nanoUsd', nanoUsd],
    ['tokens', tokens],
  ] as const) {
    if (Number.isSafeInteger(value) && value >= 0) continue;
    wrong(member, `${field}.${unit}`, 'a whole number of at least 0', value);
  }
  return { nanoUsd, tokens };
}

function wrong(
  member: keyof BudgetStore,
  field: string,
  expected: string,
  received: unknown,
): never {
  const problem = `answered ${field}: expected ${expected}, received ${show(received)}`;
  throw new BudgetStoreError(member, problem);
}
