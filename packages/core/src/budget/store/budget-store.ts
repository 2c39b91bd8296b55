import type { MaybePromise } from '../../maybe-promise.ts';
import type { Amount } from '../amount.ts';

/** What a purse has on its books. */
export interface PurseTotals {
  readonly spent: Amount;
  /** Held for calls that have been admitted and have not ended. */
  readonly reserved: Amount;
}

/** What a store has on its books. */
export interface BudgetTotals extends PurseTotals {
  /** The books of the purses that were named, in that order. Missing or empty if none were. */
  readonly purses?: readonly PurseTotals[];
}

/** The most that may be spent; a missing limit does not bind. */
export interface BudgetLimits {
  readonly nanoUsd?: number;
  readonly tokens?: number;
}

/** A part of the budget with limits of its own, such as that of one agent. */
export interface Purse extends BudgetLimits {
  /** Tells purses apart; never empty. */
  readonly name: string;
}

/** What a store answers to a reservation. */
export interface ReservationResult {
  readonly isGranted: boolean;
  /** The books after a granted reservation, or as they stood when it was refused. */
  readonly totals: BudgetTotals;
}

/**
 * Where spend is kept. Any member may answer with a promise, so that a fleet can share one budget.
 *
 * Everything is booked in the whole budget, and also in each of the smaller `purses` that are named. A store that is asked
 * for purses has to answer with their totals: if it does not, it does not keep them, and the call is refused.
 *
 * Checking and holding in {@link BudgetStore.reserve} must be one step for all purses together: nobody else's reservation may
 * come between, and one that is refused by one purse is held in none.
 */
export interface BudgetStore {
  /**
   * Holds `amount` under `id` if spent, reserved and `amount` together stay within `limits`, and within those of each purse.
   * No breaker uses an id twice.
   */
  reserve(
    id: string,
    amount: Amount,
    limits: BudgetLimits,
    purses?: readonly Purse[],
  ): MaybePromise<ReservationResult>;
  /**
   * Books `actual` as spent, also in the purses of these names, and lets go of what is held under `id` in any purse, if
   * anything. What throws or rejects must not have booked anything: it is asked for again.
   */
  settle(
    id: string | undefined,
    actual: Amount,
    purses?: readonly string[],
  ): MaybePromise<BudgetTotals>;
  /** The books of the whole budget, and of the purses of these names. */
  totals(purses?: readonly string[]): MaybePromise<BudgetTotals>;
}
