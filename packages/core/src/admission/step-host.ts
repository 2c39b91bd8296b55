import type { Admission, AdmitOptions, Permit } from '../circuit/permit.ts';
import type { Trip } from '../circuit/trip.ts';
import type { MaybePromise } from '../common/maybe-promise.ts';
import type { AdmissionRequest } from '../signal/request.ts';
import type { ModelRequestSignal, Signal } from '../signal/signal.ts';

/** What is known of a model call before its answer. */
interface ExpectedCall {
  /** The estimated length of its prompt. */
  readonly inputTokens: number;
  /** How often the answer may repeat itself while it streams; `undefined` if it may as often as it likes. */
  readonly streamLimit: number | undefined;
}

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
  /** What is known of a model call before its answer. */
  expects?(request: ModelRequestSignal): ExpectedCall;
  /** Tells that the usage of a model call cannot be read from what it returned. */
  reportUnread?(returned: unknown): void;
  now(): number;
  /** Stops the steps when the time of the run is over while `work`, begun at `at`, is under way. */
  timed?<T>(work: Promise<T>, at: number): Promise<T>;
}
