import { BreakerError } from '../../common/errors.ts';
import type { MaybePromise } from '../../common/maybe-promise.ts';
import type { Amount } from '../amount.ts';

/** The books of one purse. */
export interface PurseTotals {
  readonly spent: Amount;
  /** Held for admitted calls that have not ended. */
  readonly reserved: Amount;
}

/** The books of a store. */
export interface BudgetTotals extends PurseTotals {
  /** The books of the requested purses, in that order. Missing or empty if none were requested. */
  readonly purses?: readonly PurseTotals[];
}

/** The most that may be spent; a missing limit does not bind. */
export interface BudgetLimits {
  readonly nanoUsd?: number;
  readonly tokens?: number;
}

/** A part of the budget with limits of its own, such as that of one agent. */
export interface Purse extends BudgetLimits {
  /** Identifies the purse; never empty. */
  readonly name: string;
}

/** What a store answers to a reservation. */
export interface ReservationResult {
  readonly isGranted: boolean;
  /** The books after the grant, or at the refusal. */
  readonly totals: BudgetTotals;
}

/**
 * Keeps spend. Any method may return a promise, so that a fleet can share one budget.
 *
 * Every amount is booked in the whole budget and in each of the given `purses`. A store must return the totals of these
 * purses: otherwise the call is refused.
 *
 * {@link BudgetStore.reserve} must check and reserve atomically, in all purses or in none.
 */
export interface BudgetStore {
  /**
   * Reserves `amount` under `id` if spent, reserved and `amount` together stay within `limits` and the limits of each purse.
   * Ids are unique. One that has been settled is over: a reservation under it came late, and is refused.
   */
  reserve(
    id: string,
    amount: Amount,
    limits: BudgetLimits,
    purses?: readonly Purse[],
  ): MaybePromise<ReservationResult>;
  /**
   * Books `actual` as spent, also in these purses, and releases the reservation of `id` in all purses. A second settlement of
   * an id books nothing, for at least the next 4,096 settlements or as long as a reservation lasts. A call that throws or rejects
   * must not book anything: it is repeated.
   */
  settle(
    id: string | undefined,
    actual: Amount,
    purses?: readonly string[],
  ): MaybePromise<BudgetTotals>;
  /** The books of the whole budget and of these purses. */
  totals(purses?: readonly string[]): MaybePromise<BudgetTotals>;
  /** Told which options of the budget all processes that share the store need to have in common, with their values. */
  agree?(options: Readonly<Record<string, string>>): void;
}

/** A budget store did not answer as it should; the call it was asked about is not made. */
export class BudgetStoreError extends BreakerError {
  override readonly name = 'BudgetStoreError';
  /** What the store was asked for. */
  readonly member: keyof BudgetStore;

  constructor(member: keyof BudgetStore, problem: string, options?: ErrorOptions) {
    super('BUDGET_STORE', `budget store: ${member} ${problem}`, options);
    this.member = member;
  }
}
