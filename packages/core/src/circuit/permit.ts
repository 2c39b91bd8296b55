import type { AdmissionRequest } from '../signal/request.ts';
import type { Trip } from './trip.ts';

/** Permission for one step. */
export interface Permit {
  /** Whether the step is the probe of a half-open circuit. Request nested steps with `{ within: permit }`. */
  readonly isProbe: boolean;
  /**
   * Ends the step, successful or not. Idempotent. A step that was not observed until then has not taken place: it gives its
   * place under declared limits back. The reservation of a model call ends only with its {@link UsageSignal}.
   */
  release(): void;
  /** Ends a step that was cancelled: that a probe brought nothing new says nothing then. Idempotent. */
  cancel(): void;
}

/** The permit of a step that holds nothing: nobody waits for its end. */
export const FREE_PERMIT: Permit = { isProbe: false, release: () => {}, cancel: () => {} };

/** Options of {@link Breaker.admit}. */
export interface AdmitOptions {
  /** The permit of the enclosing step. */
  readonly within?: Permit | undefined;
  /** Ends the wait for a blocking judge and for other calls. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Whether the permit is released without fail, as by `run`: a tool call then counts as under way until its release, and
   * waits for identical ones (`maxIdenticalInFlight`).
   * @defaultValue false
   */
  readonly willRelease?: boolean | undefined;
  /** Whether what was found of other steps is no reason to refuse this one. @internal */
  readonly isIndependent?: boolean | undefined;
}

/** The answer to an {@link AdmissionRequest}. */
export type Admission =
  | { readonly isAdmitted: true; readonly permit: Permit }
  | { readonly isAdmitted: false; readonly trip: Trip };
