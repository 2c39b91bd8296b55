import type { Finding } from '../../finding.ts';
import type { Amount } from '../amount.ts';
import type { Spender } from '../purses.ts';

/** A model call that is about to be made. */
export interface ExpectedCall extends Spender {
  /** What it takes at most, as far as anybody knows. */
  readonly amount: Amount;
  /** Whether the amount is known in what is limited. */
  readonly isSized: boolean;
  /** Whether nobody knows its price, now or later. */
  readonly isUnpriced: boolean;
  /** Whether it may use what is kept back. */
  readonly isWrapUp: boolean;
}

/** A call that may not be made now. */
export interface Refusal {
  readonly finding: Finding;
  /** The purses in which it would fit once calls of this breaker have ended; empty where waiting is of no use. */
  readonly waitsFor: readonly string[];
}

/** The answer to an {@link ExpectedCall}: the id of its reservation, `null` if there was nothing to reserve, or the refusal. */
export type BudgetAnswer = { readonly id: string | null; readonly finding?: undefined } | Refusal;
