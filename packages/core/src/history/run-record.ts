import type { Cost } from '../trip.ts';

/** Why a run failed, so that two failures can be compared. */
export interface RunFailure {
  /** The kind of the trip, or `error` if the run itself threw. */
  readonly kind: string;
  /** What it was about: a tool, a category of errors, a limit, the code of an error. May be empty. */
  readonly subject: string;
  /** One sentence for people. */
  readonly reason: string;
  /** A hash, equal for equal failures. */
  readonly fingerprint: string;
}

/** How one run of a task ended. Plain JSON. */
export interface RunRecord {
  readonly task: string;
  /** When it ended, in milliseconds. */
  readonly at: number;
  /** `stopped` is a stop by hand, which is no failure. */
  readonly outcome: 'completed' | 'failed' | 'stopped';
  /** There if it failed. */
  readonly failure?: RunFailure;
  /** What it has cost, as far as it was reported. */
  readonly cost: Cost;
}
