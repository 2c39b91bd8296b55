import type { Admission, AdmitOptions, Permit } from '../../admission.ts';
import type { Ask } from '../../analysis/calls/call-reader.ts';
import type { BudgetAnswer } from '../../budget/calls/model-call.ts';
import type { SpendTracker } from '../../budget/spend-tracker.ts';
import { BudgetStoreError } from '../../budget/store/budget-store.ts';
import { untilAborted } from '../../deadline.ts';
import type { Judge } from '../../judge/judge.ts';
import type { Gates } from '../../limits/gates.ts';
import type { Disclosure } from '../../redact/disclosure.ts';
import { type AdmissionRequest, isAnnouncing } from '../../signal/request.ts';
import type { ModelRequestSignal } from '../../signal/signal.ts';
import type { Trip } from '../../trip.ts';
import { type CircuitController, type Leave, permitOf } from '../circuit/circuit-controller.ts';
import type { SharedCircuits } from '../circuit/shared-circuits.ts';
import type { Tally } from '../counters.ts';
import type { ConversationEvents } from '../events/breaker-events.ts';
import type { FindingHandler } from '../findings/finding-handler.ts';
import type { Observer } from '../observer.ts';
import type { CallPlaces } from '../throttle/call-places.ts';
import type { NoPlace, Place, Throttle } from '../throttle/throttle.ts';
import { endOfWait } from './end-of-wait.ts';
import type { IdenticalCalls } from './identical-calls.ts';
import { leaveToProbe } from './leave-to-probe.ts';
import { placeOf } from './place-of-call.ts';
import { arrived, type Waits } from './waits.ts';

/** The collaborators of an {@link AdmissionController}. */
export interface AdmissionControllerParts {
  readonly events: ConversationEvents;
  readonly circuit: CircuitController;
  readonly disclosure: Disclosure;
  readonly gates: Gates;
  readonly identical: IdenticalCalls;
  readonly spend: SpendTracker;
  readonly handler: FindingHandler;
  readonly observer: Observer;
  readonly judge: Judge;
  readonly tally: Tally;
  /** Delays model calls; `places` are those of this conversation. */
  readonly throttle: Throttle;
  readonly places: CallPlaces;
  readonly circuits: SharedCircuits | undefined;
  /** Is called when the last step that was under way has ended. */
  readonly idle: () => void;
}

/** A step that holds a place among all model calls. */
interface Held {
  /** Whether it has to take its turn. */
  isThrottled?: boolean;
  leave?: () => void;
}

/** Decides whether a step may begin: by the circuit, a blocking judge, the context window and the budget. */
export class AdmissionController {
  readonly #parts: AdmissionControllerParts;
  /** Steps that have been admitted, and whose callers will say when they end. */
  #underWay = 0;

  constructor(parts: AdmissionControllerParts) {
    this.#parts = parts;
  }

  /** Whether a step is under way whose caller will say when it ends. */
  get isUnderWay(): boolean {
    return this.#underWay > 0;
  }

  /** Whether the answer may have to wait. */
  mayWait({ kind }: AdmissionRequest): boolean {
    const { judge, circuits } = this.#parts;
    const isAsked = kind === 'model-request' || kind === 'tool-call';
    return isAsked || judge.isBlocking || circuits !== undefined;
  }

  /** Admits or refuses a step that waits for nothing. Turns are asked for most, and a generator takes twice as long. */
  admitAtOnce(request: AdmissionRequest, options: AdmitOptions): Admission {
    const { circuit, observer } = this.#parts;
    const { within, isAlone } = options;
    if (isAlone) circuit.reset();
    const passed = this.#pass(request, options, undefined, undefined);
    if (!passed.isAdmitted) return this.#refused(request, passed.trip);
    observer.askJudge();
    return this.#concluded(request, passed.permit, this.#refusal(request, passed.permit, within));
  }

  /** Admits or refuses a step. Waits for a blocking judge, the store, and (`budget.whenFull: 'wait'`) other calls. */
  *admit(request: AdmissionRequest, options: AdmitOptions): Waits<Admission> {
    const { circuit, circuits, events, identical, observer } = this.#parts;
    const { within, signal, isReleased, isAlone } = options;
    yield* this.#judged(signal);
    if (isAlone) circuit.reset();
    const ask = observer.askOf(request, within);
    const waitsFor = isReleased && ask?.polls === undefined ? ask?.key : undefined;
    if (waitsFor !== undefined) yield* this.#othersLeft(waitsFor, options);
    if (circuits !== undefined && !wrapsUp(request, circuit.trip)) {
      yield* leaveToProbe(circuits, circuit, events.conversation, request, within);
    }
    const index = observer.nextIndex;
    const held: Held = {};
    const passed = this.#pass(request, options, ask, waitsFor, held);
    if (!passed.isAdmitted) {
      if (waitsFor !== undefined) identical.wakeNext(waitsFor);
      return this.#refused(request, passed.trip);
    }
    const { permit } = passed;
    observer.askJudge();
    yield* this.#judged(signal, () => permit.release());
    const refusal = (): Trip | undefined => this.#refusal(request, permit, within);
    if (request.kind !== 'model-request') return this.#concluded(request, permit, refusal());
    const { spend, handler, places } = this.#parts;
    let place: Place | undefined;
    if (held.isThrottled) {
      const answer = yield* this.#inTurn(request, permit, index, options);
      if ('isAdmitted' in answer) return answer;
      place = answer;
      held.leave = answer.giveBack;
    }

    const found = { index, at: request.at };
    const excess = spend.checkWindow(request);
    if (excess !== undefined) handler.react({ ...found, finding: excess });
    const early = refusal();
    if (early !== undefined) return this.#concluded(request, permit, early);
    let answer: BudgetAnswer | undefined;
    try {
      do {
        answer = yield* arrived(
          spend.budget.reserve(spend.callOf(request), endOfWait(circuit, signal)),
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
      handler.reactLater(spend.budget.release([reservation]), index, request.at);
    };
    yield* this.#judged(signal, () => {
      giveBack();
      permit.release();
    });
    // A call that wraps up may pass an open circuit, but not without a reservation.
    const late = reservation === undefined ? circuit.refusal(permit, within) : refusal();
    if (late !== undefined) giveBack();
    else if (place !== undefined) {
      place.begin();
      held.leave = places.add(request, place.leave);
    }
    return this.#concluded(request, permit, late);
  }

  /** Waits until a model call has its place among all others. Refused, it has none. */
  *#inTurn(
    request: ModelRequestSignal,
    permit: Permit,
    index: number,
    options: AdmitOptions,
  ): Waits<Place | Admission> {
    const { circuit, events, handler, throttle } = this.#parts;
    const { within, signal } = options;
    const refusal = (): Trip | undefined => this.#refusal(request, permit, within);
    const { conversation } = events;
    const isRefused = (): boolean => refusal() !== undefined;
    const until = endOfWait(circuit, signal);
    const wait = { conversation, isRefused, until, signal };
    let answer: Place | NoPlace | undefined;
    try {
      answer = yield* placeOf(throttle, request, wait);
    } catch (error) {
      permit.release();
      throw error;
    }
    if (answer?.finding !== undefined) {
      const found = { finding: answer.finding, index, at: request.at };
      return this.#concluded(request, permit, handler.tripOf(found));
    }
    if (answer === undefined) return this.#concluded(request, permit, refusal());
    return answer;
  }

  /** Asks the gates and the circuit. A request that is a signal is observed once it has passed. */
  #pass(
    request: AdmissionRequest,
    { within, isReleased }: AdmitOptions,
    ask: Ask | undefined,
    waitsFor: number | undefined,
    held?: Held,
  ): Admission {
    const { events, circuit, observer } = this.#parts;
    events.hold();
    try {
      const foreseen = observer.foresee(request, within, ask);
      if (foreseen !== undefined) return { isAdmitted: false, trip: foreseen };
      const enter = (): Leave => this.#enter(request, isReleased, waitsFor, held);
      const admission: Admission = wrapsUp(request, circuit.refusal())
        ? { isAdmitted: true, permit: permitOf(enter()) }
        : circuit.pass(request, within, enter);
      if (admission.isAdmitted && isAnnouncing(request)) observer.take(request);
      return admission;
    } finally {
      events.release();
    }
  }

  /** Takes the places of a step. */
  #enter(
    request: AdmissionRequest,
    isReleased: boolean | undefined,
    ask: number | undefined,
    held: Held | undefined,
  ): Leave {
    const { throttle, gates } = this.#parts;
    const entered = gates.enter(request);
    const isThrottled = held !== undefined && request.kind === 'model-request' && throttle.isOn;
    if (held !== undefined) held.isThrottled = isThrottled;
    const leaveBoth = (): void => {
      entered?.();
      held?.leave?.();
    };
    const leave = isThrottled ? leaveBoth : entered;
    if (!isReleased) return leave;
    const end = ask === undefined ? undefined : this.#parts.identical.enter(ask);
    this.#underWay++;
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      this.#underWay--;
      leave?.();
      end?.();
      if (this.#underWay === 0) this.#parts.idle();
    };
  }

  /** Waits while too many identical calls are under way. A trip or the caller's signal ends the wait. */
  *#othersLeft(ask: number, { within, signal, isAlone }: AdmitOptions): Waits<void> {
    const { circuit, identical } = this.#parts;
    while (identical.isFull(ask) && circuit.refusal(within) === undefined) {
      yield identical.left(ask, endOfWait(circuit, signal));
      if (signal?.aborted) identical.wakeNext(ask);
      signal?.throwIfAborted();
      if (isAlone) circuit.reset();
    }
  }

  #concluded(request: AdmissionRequest, permit: Permit, refusal: Trip | undefined): Admission {
    if (refusal === undefined) return { isAdmitted: true, permit };
    permit.release();
    return this.#refused(request, refusal);
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
}

/** Whether a request may pass despite this trip, because the budget keeps a reserve for it. */
function wrapsUp(request: AdmissionRequest, trip: Trip | undefined): boolean {
  return request.kind === 'model-request' && request.isWrapUp === true && trip?.kind === 'budget';
}
