import type { Trip } from '../circuit/trip.ts';
import type { MaybePromise } from '../common/maybe-promise.ts';
import type { Found } from '../detection/finding.ts';
import type { AdmissionRequest } from '../signal/request.ts';
import type { ModelRequestSignal } from '../signal/signal.ts';
import type { Ticket } from './ticket.ts';

/**
 * One of the things that decide whether a step may begin: lets it pass, at once or when its turn has come. A trip refuses the
 * step; a finding does so if the reaction to it opens the circuit.
 */
export type Stage<R extends AdmissionRequest = AdmissionRequest> = (
  ticket: Ticket<R>,
) => MaybePromise<Trip | Found | undefined>;

/** A stage for model calls alone. */
export type ModelStage = Stage<ModelRequestSignal>;
