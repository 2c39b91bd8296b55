import type { Moment, Stamped } from '../../common/clock.ts';
import { type Codec, list, number, record } from '../../state/codec.ts';
import { type Amount, beyond, ExactSum, isNothing } from '../amount.ts';
import { AMOUNT, AMOUNT_FIELDS } from '../amount-codec.ts';
import type { BudgetLimits, PurseTotals } from './budget-store.ts';

/** How long spend is kept that might count again, with some time for leaps of the clock. */
const KEPT_WINDOWS = 1.25;

type Dated = Amount & Stamped;

type Entry = Amount & Moment;

/** The spend in a snapshot; the store writes the reservations. */
export interface AccountBooks {
  readonly spent: Amount;
  readonly recent: readonly Dated[];
}

export const ACCOUNT_FIELDS: { readonly [K in keyof AccountBooks]: Codec<AccountBooks[K]> } = {
  spent: AMOUNT,
  recent: list(record<Dated>({ ...AMOUNT_FIELDS, at: number })),
};

/** The books of one purse in memory. */
export class Account {
  readonly #spent: ExactSum = new ExactSum();
  readonly #reserved: ExactSum = new ExactSum();
  /** What was spent, the oldest first; empty without a window. */
  #entries: Entry[] = [];
  /** How many of the first are too old to count, unless the clock turns out to have been ahead. */
  #old = 0;

  get totals(): PurseTotals {
    return { spent: this.#spent.total, reserved: this.#reserved.total };
  }

  get isReserved(): boolean {
    return !isNothing(this.#reserved.total);
  }

  /** Whether something was spent that counts, or may count again. */
  get hasSpent(): boolean {
    return this.#entries.length > 0 || !isNothing(this.#spent.total);
  }

  /** Whether spent, reserved and `amount` together stay within `limits`. */
  fits(amount: Amount, limits: BudgetLimits): boolean {
    const { spent, reserved } = this.totals;
    const fitting = (unit: keyof Amount): boolean =>
      spent[unit] + reserved[unit] + amount[unit] <= (limits[unit] ?? Number.POSITIVE_INFINITY);
    return fitting('nanoUsd') && fitting('tokens');
  }

  reserve(amount: Amount): void {
    this.#reserved.add(amount);
  }

  release(amount: Amount): void {
    this.#reserved.subtract(amount);
  }

  /** Books spend; with a time if it is to be forgotten. */
  book(amount: Amount, moment?: Moment): void {
    this.#spent.add(amount);
    if (moment === undefined || isNothing(amount)) return;
    const { nanoUsd, tokens } = amount;
    const { at, steady, passed } = moment;
    this.#entries.push({ nanoUsd, tokens, at, steady, passed });
  }

  /** Forgets what is older than the window. It is dropped once that is so even if the clock has leapt ahead. */
  forget({ at, passed }: Moment, windowMs: number): void {
    const entries = this.#entries;
    for (let one = entries[this.#old]; one && one.at <= at - windowMs; one = entries[this.#old]) {
      this.#spent.subtract(one);
      this.#old++;
    }
    const isGone = (one: Entry): boolean => one.passed <= passed - KEPT_WINDOWS * windowMs;
    let gone = 0;
    while (gone < this.#old && isGone(entries[gone] as Entry)) gone++;
    if (gone === 0) return;
    entries.splice(0, gone);
    this.#old -= gone;
  }

  /** When so much of what was spent will be older than the window; all of it, if it is less. */
  roomAt(unit: keyof Amount, amount: number, windowMs: number): number | undefined {
    let left = amount;
    let last: Entry | undefined;
    for (let i = this.#old; i < this.#entries.length && (left > 0 || last === undefined); i++) {
      last = this.#entries[i] as Entry;
      left -= last[unit];
    }
    return last && last.at + windowMs;
  }

  /** The clock has stepped back by `back`. Nothing is younger than the time that has surely passed. */
  stepBack({ at: now, steady }: Moment, back: number): void {
    for (const one of this.#entries.slice(0, this.#old)) this.#spent.add(one);
    this.#old = 0;
    const aged = this.#entries.map((one) => ({
      ...one,
      at: Math.min(one.at > now ? one.at - back : one.at, now - (steady - one.steady)),
    }));
    this.#entries = aged.sort((a, b) => a.at - b.at);
  }

  get books(): AccountBooks {
    return { spent: this.#spent.total, recent: this.#entries.slice(this.#old) };
  }

  /** An account with the books of a snapshot, restored at `moment`. */
  static of({ spent, recent }: AccountBooks, moment: Moment): Account {
    const account = new Account();
    for (const one of [...recent].sort((a, b) => a.at - b.at)) {
      // With a time in the future, it would not be forgotten in time.
      const { at, steady, passed } = moment;
      account.book(one, { steady, passed, at: Math.min(one.at, at) });
    }
    account.book(beyond(spent, account.totals.spent));
    return account;
  }
}
