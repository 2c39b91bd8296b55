import type {
  Amount,
  BudgetLimits,
  BudgetTotals,
  Purse,
  ReservationResult,
} from '@teamfuse/core/kit';
import type { NoteOptions } from '../agreement.ts';

/** Spend to book, under an id that is booked once. */
export interface Booking {
  readonly id: string;
  readonly actual: Amount;
  readonly purses: readonly string[];
  /** The id of the lease that the call was admitted from. */
  readonly lease?: string;
  /** What the call held within its lease; missing if that had expired. */
  readonly reserved?: Amount;
}

/**
 * What a process tells of a lease: a reservation that it holds ahead of its calls, and admits them from by itself. The amounts
 * are those after the bookings.
 */
export interface LeaseRequest {
  readonly id: string;
  /**
   * Grows with every request of the lease. The server follows none whose number is not above the last one that it has followed,
   * and books what such a request has to book. 1 asks for a new lease; 0 only books.
   */
  readonly number: number;
  /** Ends the lease: nothing is held under its id any more, now or later. */
  readonly isOver: boolean;
  readonly limits: BudgetLimits;
  readonly purses: readonly Purse[];
  readonly bookings: readonly Booking[];
  /** What calls under way hold. It stays, whatever the limits are by now. */
  readonly calls: Amount;
  /** What the process goes on to admit calls from while it waits for the answer. It stays, too. */
  readonly kept: Amount;
  /** What it would like to hold ahead of its calls. */
  readonly wanted: Amount;
  /** Of what is left for it, the server grants `1 / parts` at most ahead of calls. */
  readonly parts: number;
}

/** What a server answers about a lease. */
export interface LeaseAnswer {
  /** Whether anything is held under its id. Once it is not, it never will be again. */
  readonly isHeld: boolean;
  /** What is held ahead of the calls of the request. */
  readonly idle: Amount;
  readonly totals: BudgetTotals;
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
  /**
   * Books what calls of a lease took, and changes what the lease holds, in one step. Of a lease that is not held any more it only
   * books.
   */
  lease(request: LeaseRequest): Promise<LeaseAnswer>;
  /** Notes with which options a process uses the budget, and gives those of the processes before it. */
  readonly agree?: NoteOptions;
}
