import type { WaitEnd } from '../budget/calls/waiting-calls.ts';
import type { Reserved, SpendTracker } from '../budget/spend-tracker.ts';
import { BudgetStoreError } from '../errors.ts';
import type { Judge } from '../judge/judge.ts';
import { andThen, asking, type MaybePromise } from '../maybe-promise.ts';
import {
  type Admission,
  type AdmissionRequest,
  type AdmitOptions,
  isAnnouncing,
  type Permit,
} from '../request.ts';
import type { ModelRequestSignal, Signal } from '../signal/signal.ts';
import type { Trip } from '../trip.ts';
import type { ConversationEvents } from './breaker-events.ts';
import { type CircuitController, PLAIN_PERMIT } from './circuit-controller.ts';
import type { FindingHandler } from './finding-handler.ts';

/** The collaborators of an {@link AdmissionController}. @internal */
export interface AdmissionControllerParts {
  readonly events: ConversationEvents;
  readonly circuit: CircuitController;
  readonly spend: SpendTracker;
  readonly handler: FindingHandler;
  /** The judge, if steps have to wait for its answers. */
  readonly blockingJudge: Judge | undefined;
  /** Observes the signal that a request is, at `nextIndex`. */
  readonly fold: (signal: Signal) => unknown;
  /** Calls back when the circuit opens. */
  readonly onOpen: (listener: () => void) => () => void;
  /** Counts a refusal and tells of it. */
  readonly refused: (request: AdmissionRequest, trip: Trip) => void;
  /** Asks the judge if it is time to. */
  readonly ask: () => unknown;
  readonly nextIndex: () => number;
}

/** Decides whether a step may begin: the circuit first, then a judge that blocks, then the budget. @internal */
export class AdmissionController {
  readonly #parts: AdmissionControllerParts;

  constructor(parts: AdmissionControllerParts) {
    this.#parts = parts;
  }

  /** Admits a step or refuses it. Waits while a blocking judge answers, and for the budget where calls wait. */
  admit(request: AdmissionRequest, options: AdmitOptions): MaybePromise<Admission> {
    const answered = this.#parts.blockingJudge?.settled();
    const admission =
      answered === undefined
        ? this.#pass(request, options)
        : answered.then(() => this.#pass(request, options));
    return andThen(admission, (answer) => {
      if (!answer.isAdmitted) this.#parts.refused(request, answer.trip);
      return answer;
    });
  }

  #pass(request: AdmissionRequest, options: AdmitOptions): MaybePromise<Admission> {
    const { events, circuit, blockingJudge, fold, ask, nextIndex } = this.#parts;
    const index = nextIndex();
    const admission = events.holding(() => {
      const answer = wrapsUp(request, circuit.refusal())
        ? { isAdmitted: true as const, permit: PLAIN_PERMIT }
        : circuit.pass(request, options.within);
      if (answer.isAdmitted && isAnnouncing(request)) fold(request);
      return answer;
    });
    if (!admission.isAdmitted) return admission;
    ask();
    const answered = blockingJudge?.settled();
    return answered === undefined
      ? this.#grant(request, admission, index, options)
      : answered.then(() => this.#grant(request, admission, index, options));
  }

  /** Admits the step unless it exceeds the window or the budget, or the circuit has opened since. */
  #grant(
    request: AdmissionRequest,
    admission: Granted,
    index: number,
    { within, signal }: AdmitOptions,
  ): MaybePromise<Admission> {
    const { permit } = admission;
    const { events, circuit, spend, handler, blockingJudge } = this.#parts;
    const isModelCall = request.kind === 'model-request';
    const excess = isModelCall ? spend.checkWindow(request) : undefined;
    if (excess !== undefined) handler.react({ finding: excess, index, at: request.at });
    const refusal = this.#refusal(request, permit, within);
    if (refusal !== undefined) return refused(refusal);
    if (!isModelCall) return admission;
    return andThen(
      asking(() => this.#reserve(request, () => circuit.refusal(permit, within), signal)),
      ({ call, finding }) => {
        if (finding !== undefined) handler.react({ finding, index, at: request.at });
        const conclude = (): Admission => {
          // What wraps up goes on while the circuit is open, but not without its reservation.
          const unreserved = call === undefined ? circuit.refusal(permit, within) : undefined;
          const trip = this.#refusal(request, permit, within) ?? unreserved;
          if (trip === undefined) return admission;
          if (call !== undefined) handler.reactTo(spend.release(request, call), index, request.at);
          return refused(trip);
        };
        const answered = blockingJudge?.settled();
        return answered === undefined ? conclude() : answered.then(conclude);
      },
      (error) => {
        permit.release();
        // Any other error is the caller's own, who has ended the wait.
        if (error instanceof BudgetStoreError) events.emit('error', { error, during: 'store' });
        throw error;
      },
    );
  }

  /** Asks the budget. A wait that was ended by a trip begins again if the trip is over by now. */
  #reserve(
    request: ModelRequestSignal,
    refusal: () => Trip | undefined,
    signal: AbortSignal | undefined,
  ): MaybePromise<Reserved> {
    return andThen(this.#parts.spend.reserve(request, this.#until(signal)), (reserved) => {
      if (reserved.call !== undefined || reserved.finding !== undefined) return reserved;
      signal?.throwIfAborted();
      return refusal() === undefined ? this.#reserve(request, refusal, signal) : reserved;
    });
  }

  /** Why the step is refused now. What wraps up goes on where only the budget has stopped the rest. */
  #refusal(
    request: AdmissionRequest,
    ...permits: readonly (Permit | undefined)[]
  ): Trip | undefined {
    const trip = this.#parts.circuit.refusal(...permits);
    return wrapsUp(request, trip) ? undefined : trip;
  }

  /** What ends a wait for other calls. */
  #until(signal: AbortSignal | undefined): WaitEnd {
    return (end) => {
      if (signal?.aborted) {
        end();
        return () => {};
      }
      const unsubscribe = this.#parts.onOpen(end);
      signal?.addEventListener('abort', end, { once: true });
      return () => {
        unsubscribe();
        signal?.removeEventListener('abort', end);
      };
    };
  }
}

type Granted = Admission & { readonly isAdmitted: true };

/** Whether a request may pass in spite of this trip: the budget keeps something back for it. */
function wrapsUp(request: AdmissionRequest, trip: Trip | undefined): boolean {
  return request.kind === 'model-request' && request.isWrapUp === true && trip?.kind === 'budget';
}

function refused(trip: Trip): Admission {
  return { isAdmitted: false, trip };
}
