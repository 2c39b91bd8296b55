import { BreakerError } from '@teamfuse/core';
import { inWords, show } from '@teamfuse/core/options';
import type { RunFailure } from './run-record.ts';

/** What is known of a task that keeps failing. Times are in milliseconds. */
export interface RepeatedFailure {
  readonly task: string;
  readonly failure: RunFailure;
  /** How many runs in a row ended in it, as far as is remembered. */
  readonly times: number;
  /** When the first of them ended. */
  readonly since: number;
  /** When the latest of them ended. */
  readonly last: number;
}

/** A run was not started because the latest runs of its task ended in the same failure. */
export class RepeatedFailureError extends BreakerError implements RepeatedFailure {
  override readonly name = 'RepeatedFailureError';
  readonly task: string;
  readonly failure: RunFailure;
  readonly times: number;
  readonly since: number;
  readonly last: number;

  constructor({ task, failure, times, since, last }: RepeatedFailure) {
    const [from, to] = [since, last].map((at) => new Date(at).toISOString());
    super(
      'REPEATED_FAILURE',
      `task ${show(task)} was not started: its last ${inWords(times)} runs, from ${from} to ${to}, ended in the same failure (${failure.kind}: ${failure.reason}). Once the cause is fixed, call store.clear(task)`,
    );
    this.task = task;
    this.failure = failure;
    this.times = times;
    this.since = since;
    this.last = last;
  }
}
