import type { AdmissionRequest } from './signal/request.ts';
import type { Trip } from './trip.ts';

/** Permission for one step. */
export interface Permit {
  /** Whether the step is the probe of a half-open circuit. Request nested steps with `{ within: permit }`. */
  readonly isProbe: boolean;
  /** Ends the step, successful or not. Idempotent. The reservation of a model call ends only with its {@link UsageSignal}. */
  release(): void;
}

/** Options of {@link Breaker.admit}. */
export interface AdmitOptions {
  /** The permit of the enclosing step. */
  readonly within?: Permit | undefined;
  /** Ends the wait for a blocking judge and for other calls. */
  readonly signal?: AbortSignal | undefined;
}

/** The answer to an {@link AdmissionRequest}. */
export type Admission =
  | { readonly isAdmitted: true; readonly permit: Permit }
  | { readonly isAdmitted: false; readonly trip: Trip };
