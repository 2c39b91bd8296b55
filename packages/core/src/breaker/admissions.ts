import type { Purse } from '../budget/purse.ts';
import type { Judge } from '../judge/judge.ts';
import { andThen, type MaybePromise } from '../maybe-promise.ts';
import { type Admission, type AdmissionRequest, isAnnouncing, type Permit } from '../request.ts';
import type { Signal } from '../signal/signal.ts';
import type { Trip } from '../trip.ts';
import type { BreakerEvents } from './breaker-events.ts';
import type { Gate } from './gate.ts';
import type { Reactor } from './reactor.ts';

/** What {@link Admissions} work with. @internal */
export interface AdmissionParts {
  readonly events: BreakerEvents;
  readonly gate: Gate;
  readonly purse: Purse;
  readonly reactor: Reactor;
  /** The judge, if steps have to wait for its answers. */
  readonly blockingJudge: Judge | undefined;
  /** Takes in the signal that a request is; at `nextIndex`. */
  readonly fold: (signal: Signal) => unknown;
  /** Asks the judge if it is time to. */
  readonly ask: () => unknown;
  readonly nextIndex: () => number;
}

/** Decides whether a step may begin: the circuit first, then a judge that blocks, then the budget. @internal */
export class Admissions {
  readonly #parts: AdmissionParts;

  constructor(parts: AdmissionParts) {
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
    const { events, gate, blockingJudge, fold, ask, nextIndex } = this.#parts;
    const index = nextIndex();
    const admission = events.holding(() => {
      const answer = gate.pass(request, within);
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

  /** Gives leave, unless the step does not fit the purse or the circuit has opened since. */
  #grant(
    request: AdmissionRequest,
    admission: Granted,
    index: number,
    within: Permit | undefined,
  ): MaybePromise<Admission> {
    const { permit } = admission;
    const { gate, purse, reactor, blockingJudge } = this.#parts;
    const isModelCall = request.kind === 'model-request';
    const misfit = isModelCall ? purse.misfit(request) : undefined;
    if (misfit !== undefined) reactor.react({ finding: misfit, index, at: request.at });
    const refusal = gate.refusal(permit, within);
    if (refusal !== undefined) return refused(refusal);
    if (!isModelCall) return admission;
    return andThen(
      purse.reserve(request),
      (finding) => {
        if (finding !== undefined) reactor.react({ finding, index, at: request.at });
        const conclude = (): Admission => {
          const trip = gate.refusal(permit, within);
          if (trip === undefined) return admission;
          if (finding === undefined) reactor.reactTo(purse.release(request), index, request.at);
          return refused(trip);
        };
        const answered = blockingJudge?.settled();
        return answered === undefined ? conclude() : answered.then(conclude);
      },
      (error) => {
        permit.done();
        throw error;
      },
    );
  }
}

type Granted = Admission & { readonly isAdmitted: true };

function refused(trip: Trip): Admission {
  return { isAdmitted: false, trip };
}
