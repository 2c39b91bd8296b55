import { type Codec, list, nullable, record, text } from '../../state/codec.ts';
import { type Amount, add, NOTHING } from '../amount.ts';
import { AMOUNT } from '../amount-codec.ts';
import type { BudgetLimits, BudgetTotals, Purse } from './budget-store.ts';

/** A settlement that a store failed to book. */
export interface UnsettledBooking {
  readonly id: string | null;
  readonly actual: Amount;
  readonly purses: readonly string[];
  /** The part beyond its reservation, which the store still holds. */
  readonly excess: Amount;
}

/** At this many, no further call is admitted. */
export const MAX_UNSETTLED = 1000;

export const UNSETTLED: Codec<readonly UnsettledBooking[]> = list(
  record<UnsettledBooking>({
    id: nullable(text),
    actual: AMOUNT,
    purses: list(text),
    excess: AMOUNT,
  }),
  MAX_UNSETTLED,
);

/** What a store failed to book. It counts as spent until it is booked. */
export class Unsettled {
  readonly #bookings: Set<UnsettledBooking> = new Set();

  get isFull(): boolean {
    return this.#bookings.size >= MAX_UNSETTLED;
  }

  get bookings(): readonly UnsettledBooking[] {
    return [...this.#bookings];
  }

  set bookings(bookings: readonly UnsettledBooking[]) {
    this.#bookings.clear();
    for (const booking of bookings) this.#bookings.add(booking);
  }

  /** Drops the booking if full. No call is admitted then, so only earlier calls are lost, each with an error. */
  add(booking: UnsettledBooking): void {
    if (!this.isFull) this.#bookings.add(booking);
  }

  remove(booking: UnsettledBooking): void {
    this.#bookings.delete(booking);
  }

  /** The limits of a purse, or of the whole budget, minus what is unsettled. */
  left<T extends BudgetLimits>(limits: T, purse?: string): T {
    if (this.#bookings.size === 0) return limits;
    const { nanoUsd, tokens } = limits;
    const excess = this.#excess(purse);
    return {
      ...limits,
      ...(nanoUsd !== undefined && { nanoUsd: Math.max(0, nanoUsd - excess.nanoUsd) }),
      ...(tokens !== undefined && { tokens: Math.max(0, tokens - excess.tokens) }),
    };
  }

  leftOf(purses: readonly Purse[]): readonly Purse[] {
    return this.#bookings.size === 0 ? purses : purses.map((one) => this.left(one, one.name));
  }

  /** The books of a store plus what is unsettled. */
  with(totals: BudgetTotals, names: readonly string[]): BudgetTotals {
    if (this.#bookings.size === 0) return totals;
    const purses = totals.purses?.map(({ spent, reserved }, i) => ({
      spent: add(spent, this.#excess(names[i])),
      reserved,
    }));
    const { spent, reserved } = totals;
    return { spent: add(spent, this.#excess()), reserved, ...(purses && { purses }) };
  }

  #excess(purse?: string): Amount {
    let sum = NOTHING;
    for (const { excess, purses } of this.#bookings) {
      if (purse === undefined || purses.includes(purse)) sum = add(sum, excess);
    }
    return sum;
  }
}
