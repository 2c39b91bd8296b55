import type { Cost } from '@teamfuse/core';

/** Why a run failed. */
export interface RunFailure {
  /** The kind of the trip, or `error` if the run itself threw. */
  readonly kind: string;
  /** The tool, error category, limit or error code concerned. May be empty. */
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
  /** `stopped` means stopped by hand, which is no failure. */
  readonly outcome: 'completed' | 'failed' | 'stopped';
  /** Present if it failed. */
  readonly failure?: RunFailure;
  /** Its reported cost. */
  readonly cost: Cost;
}
