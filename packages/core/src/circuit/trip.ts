import type { Cost } from '../budget/cost.ts';
import { BreakerError } from '../common/errors.ts';
import type { Basis, Evidence, FindingKind } from '../detection/finding.ts';
import type { SignalKind } from '../signal/signal.ts';

/** A signal as a trip quotes it. */
export interface SignalRef {
  readonly index: number;
  readonly kind: SignalKind;
  readonly agent: string;
  readonly at: number;
  /** The beginning of its text, on one line; missing with `excerpts: false`. */
  readonly excerpt?: string;
}

/** {@link Evidence} with its signals. */
export interface TripEvidence extends Evidence {
  readonly signals: readonly SignalRef[];
  /** The cost since the first signal of the evidence. */
  readonly cost: Cost;
}

/** The breaker opened, and why. Plain JSON data. */
export interface Trip {
  readonly kind: FindingKind;
  /** What it is based on: certain, declared, judged or suspected. */
  readonly basis: Basis;
  /** The id of the stopped conversation; empty for the main one. */
  readonly conversation: string;
  /** One sentence for people; the stop reason passed to the framework. */
  readonly reason: string;
  /** When, on the breaker's clock. */
  readonly at: number;
  /** Index of the signal that tripped it, or of the next one if a request was refused. */
  readonly index: number;
  readonly agents: readonly string[];
  readonly evidence: TripEvidence;
  /** Set once a last answer has written up what was there, or is about to (`wrapUp`). */
  readonly hasLastAnswer?: true;
  /** Set if only the step was refused, and the team goes on: it repeats itself (`reaction: 'ladder'`), or its tool was used up (`limits.tools`). */
  readonly isStepOnly?: true;
  /** Set if `guard()` refused a call of a function, and no breaker opened. */
  readonly by?: 'guard';
}

/** The breaker refused the call. */
export class TrippedError extends BreakerError {
  override readonly name: string = 'TrippedError';
  readonly trip: Trip;

  constructor(trip: Trip, options?: ErrorOptions) {
    super('TRIPPED', trip.reason, options);
    this.trip = trip;
  }
}

/** The breaker refused the call because it would complete a loop. */
export class LoopDetectedError extends TrippedError {
  override readonly name = 'LoopDetectedError';
}

/** The breaker refused the call because it exceeds the budget, or its cost exceeded the budget. */
export class BudgetExceededError extends TrippedError {
  override readonly name = 'BudgetExceededError';
}

/** The breaker refused the call because it does not fit the context window. */
export class ContextWindowExceededError extends TrippedError {
  override readonly name = 'ContextWindowExceededError';
}

/** Whether `error` is a {@link TrippedError}; works across copies of the package. */
export function isTripped(error: unknown): error is TrippedError {
  if (typeof error !== 'object' || error === null) return false;
  try {
    return 'code' in error && error.code === 'TRIPPED' && 'trip' in error;
  } catch {
    return false;
  }
}
