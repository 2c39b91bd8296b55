import type { Admission, AdmitOptions, Permit } from '../../admission.ts';
import type { BudgetAnswer } from '../../budget/calls/model-call.ts';
import type { WaitEnd } from '../../budget/calls/waiting-calls.ts';
import type { SpendTracker } from '../../budget/spend-tracker.ts';
import { BudgetStoreError } from '../../budget/store/budget-store.ts';
import { untilAborted } from '../../deadline.ts';
import type { Judge } from '../../judge/judge.ts';
import type { Disclosure } from '../../redact/disclosure.ts';
import { type AdmissionRequest, isAnnouncing } from '../../signal/request.ts';
import type { Trip } from '../../trip.ts';
import { type CircuitController, PLAIN_PERMIT } from '../circuit/circuit-controller.ts';
import type { Tally } from '../counters.ts';
import type { ConversationEvents } from '../events/breaker-events.ts';
import type { FindingHandler } from '../findings/finding-handler.ts';
import type { Observer } from '../observer.ts';
import { arrived, type Waits } from './waits.ts';

/** The collaborators of an {@link AdmissionController}. @internal */
export interface AdmissionControllerParts {
  readonly events: ConversationEvents;
  readonly circuit: CircuitController;
  readonly disclosure: Disclosure;
  readonly spend: SpendTracker;
  readonly handler: FindingHandler;
  readonly observer: Observer;
  readonly judge: Judge;
  readonly tally: Tally;
}

/** Decides whether a step may begin: by the circuit, a blocking judge, the context window and the budget. @internal */
export class AdmissionController {
  readonly #parts: AdmissionControllerParts;

  constructor(parts: AdmissionControllerParts) {
    this.#parts = parts;
  }

  /** Admits or refuses a step. Waits for a blocking judge, the store, and (`budget.whenFull: 'wait'`) other calls. */
  *admit(request: AdmissionRequest, { within, signal }: AdmitOptions): Waits<Admission> {
    const { events, circuit, spend, handler, observer } = this.#parts;
    yield* this.#judged(signal);
    const index = observer.nextIndex;
    const passed = this.#pass(request, within);
    if (!passed.isAdmitted) return this.#refused(request, passed.trip);
    const { permit } = passed;
    observer.askJudge();
    yield* this.#judged(signal, () => permit.release());
    const refusal = (): Trip | undefined => this.#refusal(request, permit, within);
    if (request.kind !== 'model-request') return this.#concluded(request, permit, refusal());

    const found = { index, at: request.at };
    const excess = spend.checkWindow(request);
    if (excess !== undefined) handler.react({ ...found, finding: excess });
    const early = refusal();
    if (early !== undefined) return this.#refused(request, early);
    let answer: BudgetAnswer | undefined;
    try {
      do {
        answer = yield* arrived(
          spend.budget.reserve(spend.callOf(request), this.#endOfWait(signal)),
        );
        if (answer === undefined) signal?.throwIfAborted();
        // A trip ended the wait. If the trip is over by now, the wait begins again.
      } while (answer === undefined && circuit.refusal(permit, within) === undefined);
    } catch (error) {
      permit.release();
      // Any other error is the caller's abort reason.
      if (error instanceof BudgetStoreError) events.emit('error', { error, during: 'store' });
      throw error;
    }
    if (answer?.finding !== undefined) handler.react({ ...found, finding: answer.finding });
    const reservation = answer?.reservation;
    const giveBack = (): void => {
      if (reservation === undefined) return;
      handler.reactTo(spend.budget.release([reservation]), index, request.at);
    };
    yield* this.#judged(signal, () => {
      giveBack();
      permit.release();
    });
    // A call that wraps up may pass an open circuit, but not without a reservation.
    const late = reservation === undefined ? circuit.refusal(permit, within) : refusal();
    if (late !== undefined) giveBack();
    return this.#concluded(request, permit, late);
  }

  /** Asks the circuit. A request that is a signal is observed once it has passed. */
  #pass(request: AdmissionRequest, within: Permit | undefined): Admission {
    const { events, circuit, observer } = this.#parts;
    events.hold();
    try {
      const foreseen = observer.foresee(request, within);
      if (foreseen !== undefined) return { isAdmitted: false, trip: foreseen };
      const admission: Admission = wrapsUp(request, circuit.refusal())
        ? { isAdmitted: true, permit: PLAIN_PERMIT }
        : circuit.pass(request, within);
      if (admission.isAdmitted && isAnnouncing(request)) observer.take(request);
      return admission;
    } finally {
      events.release();
    }
  }

  #concluded(request: AdmissionRequest, permit: Permit, refusal: Trip | undefined): Admission {
    return refusal === undefined ? { isAdmitted: true, permit } : this.#refused(request, refusal);
  }

  #refused(request: AdmissionRequest, trip: Trip): Admission {
    const { events, tally, disclosure } = this.#parts;
    tally.add('refusals');
    if (events.has('refusal')) {
      const shown = disclosure.signal(request);
      events.emit('refusal', { request: shown, trip, counters: tally.counters });
    }
    return { isAdmitted: false, trip };
  }

  /** Why the step is refused now. A call that wraps up is not refused for the budget. */
  #refusal(
    request: AdmissionRequest,
    permit: Permit,
    within: Permit | undefined,
  ): Trip | undefined {
    const trip = this.#parts.circuit.refusal(permit, within);
    return wrapsUp(request, trip) ? undefined : trip;
  }

  /** Waits for a blocking judge. If the caller gives up, `givenUp` is called, and the reason thrown. */
  *#judged(signal: AbortSignal | undefined, givenUp: () => void = () => {}): Waits<void> {
    const { judge } = this.#parts;
    const answered = judge.isBlocking ? judge.settled() : undefined;
    if (answered === undefined) return;
    try {
      yield untilAborted(answered, signal);
    } catch (error) {
      givenUp();
      throw error;
    }
  }

  /** A trip or the caller's signal ends the wait for other calls. */
  #endOfWait(signal: AbortSignal | undefined): WaitEnd {
    return (end) => {
      if (signal?.aborted) {
        end();
        return () => {};
      }
      const unsubscribe = this.#parts.circuit.onOpen(end);
      signal?.addEventListener('abort', end, { once: true });
      return () => {
        unsubscribe();
        signal?.removeEventListener('abort', end);
      };
    };
  }
}

/** Whether a request may pass despite this trip, because the budget keeps a reserve for it. */
function wrapsUp(request: AdmissionRequest, trip: Trip | undefined): boolean {
  return request.kind === 'model-request' && request.isWrapUp === true && trip?.kind === 'budget';
}
