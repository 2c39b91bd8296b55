import type { MaybePromise } from '../maybe-promise.ts';
import type { Amount } from './amount.ts';

/** What a store has on its books. */
export interface BudgetTotals {
  readonly spent: Amount;
  /** Held for calls that have been admitted and have not ended. */
  readonly reserved: Amount;
}

/** The most that may be spent; a missing limit does not bind. */
export interface BudgetLimits {
  readonly nanoUsd?: number;
  readonly tokens?: number;
}

/** What a store answers to a reservation. */
export interface ReservationResult {
  readonly isGranted: boolean;
  /** The books after a granted reservation, or as they stood when it was refused. */
  readonly totals: BudgetTotals;
}

/**
 * Where spend is kept. Any member may answer with a promise, so that a fleet can share one purse.
 *
 * Checking and holding in {@link BudgetStore.reserve} must be one step: nobody else's reservation may come between.
 */
export interface BudgetStore {
  /** Holds `amount` under `id` if spent, reserved and `amount` together stay within `limits`. */
  reserve(id: string, amount: Amount, limits: BudgetLimits): MaybePromise<ReservationResult>;
  /** Books `actual` as spent and lets go of what is held under `id`, if anything. */
  settle(id: string | undefined, actual: Amount): MaybePromise<BudgetTotals>;
  totals(): MaybePromise<BudgetTotals>;
}
