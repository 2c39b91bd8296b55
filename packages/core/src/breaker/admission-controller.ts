import type { SpendTracker } from '../budget/spend-tracker.ts';
import type { Judge } from '../judge/judge.ts';
import { andThen, type MaybePromise } from '../maybe-promise.ts';
import { type Admission, type AdmissionRequest, isAnnouncing, type Permit } from '../request.ts';
import type { Signal } from '../signal/signal.ts';
import type { Trip } from '../trip.ts';
import type { ConversationEvents } from './breaker-events.ts';
import type { CircuitController } from './circuit-controller.ts';
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

  /** Admits a step or refuses it. Waits while a blocking judge answers. */
  admit(request: AdmissionRequest, within: Permit | undefined): MaybePromise<Admission> {
    const answered = this.#parts.blockingJudge?.settled();
    return answered === undefined
      ? this.#pass(request, within)
      : answered.then(() => this.#pass(request, within));
  }

  #pass(request: AdmissionRequest, within: Permit | undefined): MaybePromise<Admission> {
    const { events, circuit, blockingJudge, fold, ask, nextIndex } = this.#parts;
    const index = nextIndex();
    const admission = events.holding(() => {
      const answer = circuit.pass(request, within);
      if (answer.isAdmitted && isAnnouncing(request)) fold(request);
      return answer;
    });
    if (!admission.isAdmitted) return admission;
    ask();
    const answered = blockingJudge?.settled();
    return answered === undefined
      ? this.#grant(request, admission, index, within)
      : answered.then(() => this.#grant(request, admission, index, within));
  }

  /** Admits the step unless it exceeds the window or the budget, or the circuit has opened since. */
  #grant(
    request: AdmissionRequest,
    admission: Granted,
    index: number,
    within: Permit | undefined,
  ): MaybePromise<Admission> {
    const { permit } = admission;
    const { events, circuit, spend, handler, blockingJudge } = this.#parts;
    const isModelCall = request.kind === 'model-request';
    const excess = isModelCall ? spend.checkWindow(request) : undefined;
    if (excess !== undefined) handler.react({ finding: excess, index, at: request.at });
    const refusal = circuit.refusal(permit, within);
    if (refusal !== undefined) return refused(refusal);
    if (!isModelCall) return admission;
    return andThen(
      spend.reserve(request),
      (finding) => {
        if (finding !== undefined) handler.react({ finding, index, at: request.at });
        const conclude = (): Admission => {
          const trip = circuit.refusal(permit, within);
          if (trip === undefined) return admission;
          if (finding === undefined) handler.reactTo(spend.release(request), index, request.at);
          return refused(trip);
        };
        const answered = blockingJudge?.settled();
        return answered === undefined ? conclude() : answered.then(conclude);
      },
      (error) => {
        permit.release();
        events.emit('error', { error, during: 'store' });
        throw error;
      },
    );
  }
}

type Granted = Admission & { readonly isAdmitted: true };

function refused(trip: Trip): Admission {
  return { isAdmitted: false, trip };
}
