import type { Admission, AdmitOptions, Permit } from '../../admission.ts';
import type { MaybePromise } from '../../maybe-promise.ts';
import type { AdmissionRequest } from '../../signal/request.ts';
import type { Signal } from '../../signal/signal.ts';
import type { Trip } from '../../trip.ts';

/** Runs steps: a conversation, or a guard's place in one. */
export interface StepHost {
  admit(request: AdmissionRequest, options: AdmitOptions): MaybePromise<Admission>;
  observe(signal: Signal): unknown;
  /** Calls `listener` when a step must stop. Returns the function that unsubscribes. */
  onOpen(listener: (trip: Trip) => void): () => void;
  /** The trip that refuses a step with none of these permits. */
  refusal(...permits: readonly (Permit | undefined)[]): Trip | undefined;
  /** Emits an error that occurred in a report. */
  reportError(error: unknown): void;
  now(): number;
  /** Stops the steps when the time of the run is over while `work`, begun at `at`, is under way. */
  timed?<T>(work: Promise<T>, at: number): Promise<T>;
}
