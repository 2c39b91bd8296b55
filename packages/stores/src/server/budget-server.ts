import type {
  Amount,
  BudgetLimits,
  BudgetTotals,
  Purse,
  ReservationResult,
} from '@teamfuse/core/kit';

/** Spend to book, under an id that is booked once. */
export interface Booking {
  readonly id: string;
  readonly actual: Amount;
  readonly purses: readonly string[];
}

/**
 * A server that keeps the books of a budget. Whatever it is asked may be asked again: the second time changes nothing.
 * A promise that rejects, or stays pending, leaves open whether the server has done it.
 */
export interface BudgetServer {
  reserve(
    id: string,
    amount: Amount,
    limits: BudgetLimits,
    purses: readonly Purse[],
  ): Promise<ReservationResult>;
  settle(booking: Booking): Promise<BudgetTotals>;
  totals(purses: readonly string[]): Promise<BudgetTotals>;
  /** Prolongs the reservations of these ids. Returns the ids under which nothing is reserved any more. */
  keep(ids: readonly string[]): Promise<readonly string[]>;
}
