import type { BudgetAnswer } from '../budget/calls/reservations.ts';
import type { SpendTracker } from '../budget/spend-tracker.ts';
import type { CircuitController } from '../circuit/circuit-controller.ts';
import { isCountedHere, type SharedCircuits } from '../circuit/circuit-sharing.ts';
import type { Trip } from '../circuit/trip.ts';
import { onAbort, untilAborted } from '../common/deadline.ts';
import { andThen, type MaybePromise } from '../common/maybe-promise.ts';
import type { OnCancel } from '../common/waiter.ts';
import type { Ask } from '../detection/calls/call-reader.ts';
import type { Detection } from '../detection/detection.ts';
import type { Full } from '../detection/detector.ts';
import type { Found } from '../detection/finding.ts';
import type { ConversationEvents } from '../events/conversation-events.ts';
import type { Judge } from '../judge/judge.ts';
import type { Observer } from '../reactions/observer.ts';
import type { Reactions } from '../reactions/reactions.ts';
import { isAnnouncing, refusedCall } from '../signal/request.ts';
import type { ModelRequestSignal } from '../signal/signal.ts';
import type { CallSlots } from '../throttle/slots.ts';
import type { NoSlot, Slot, Throttle } from '../throttle/throttle.ts';
import { IdenticalCalls } from './identical-calls.ts';
import type { ModelStage, Stage } from './stage.ts';
import type { Ticket } from './ticket.ts';

/** What the stages of a conversation work with. */
export interface StagesParts {
  /** The id of the conversation. */
  readonly id: string;
  readonly maxIdenticalInFlight: number;
  readonly circuit: CircuitController;
  readonly detection: Detection;
  readonly events: ConversationEvents;
  readonly reactions: Reactions;
  readonly judge: Judge;
  readonly observer: Observer;
  /** Those of this conversation. */
  readonly slots: CallSlots;
  readonly spend: SpendTracker;
  readonly throttle: Throttle;
}

/** Counts the steps whose callers will say when they end. */
export class StepsUnderWay {
  readonly #idle: () => void;
  #count = 0;

  /** `idle` is called when the last of them has ended. */
  constructor(idle: () => void) {
    this.#idle = idle;
  }

  get isAny(): boolean {
    return this.#count > 0;
  }

  readonly stage: Stage = (ticket) => {
    if (!ticket.options.willRelease) return undefined;
    this.#count++;
    ticket.onEnd(() => {
      this.#count--;
      if (this.#count === 0) this.#idle();
    });
    return undefined;
  };
}

/** Closes the circuit for a step that is decided by itself, whatever was found of others. */
export function closeIfIndependent({ circuit }: StagesParts): Stage {
  return ({ options }) => {
    if (options.isIndependent) circuit.reset();
    return undefined;
  };
}

/** Refuses a step that would complete a loop, or of which no more are allowed. */
export function withinLimits({ circuit, detection, reactions, observer }: StagesParts): Stage {
  const refuse = (ticket: Ticket): Trip | undefined => {
    const { request, ask } = ticket;
    const isCall = request.kind === 'tool-call';
    const loop = isCall && ask !== undefined ? detection.foresee(request, ask) : undefined;
    const full: Full | undefined = loop ? { finding: loop, underWay: 0 } : detection.full(request);
    if (full === undefined) return undefined;
    const { finding, underWay, isStepOnly } = full;
    // What is under way is allowed, and must not be aborted: the circuit opens once it has taken place.
    const trip = reactions.refuse(ticket.found(finding), { opens: underWay === 0, isStepOnly });
    // The team goes on, and has made one more step.
    if (trip?.isStepOnly && isCall) observer.take(refusedCall(request, trip.reason));
    return trip;
  };
  return (ticket) => {
    const trip = circuit.isPassable(ticket.options.within) ? refuse(ticket) : undefined;
    if (trip !== undefined) return trip;
    const leave = detection.enter(ticket.request);
    if (leave !== undefined) ticket.onEnd(leave);
    return undefined;
  };
}

/** Asks the circuit. A request that is a signal is observed once it has passed. */
export function throughCircuit({ circuit, events, observer }: StagesParts): Stage {
  return (ticket) => {
    const { request } = ticket;
    events.pause();
    try {
      const trip = ticket.askCircuit(circuit) && circuit.probe(ticket);
      if (trip !== undefined) return trip;
      ticket.isThroughCircuit = true;
      if (isAnnouncing(request)) observer.take(request);
      return undefined;
    } finally {
      events.resume();
    }
  };
}

/** Asks the judge if a question is due. */
export function judgeAsked({ reactions }: StagesParts): Stage {
  return () => {
    reactions.askJudge();
    return undefined;
  };
}

/** Finds model calls that exceed the window of their model. */
export function withinWindow({ spend }: StagesParts): ModelStage {
  return (ticket) => {
    const finding = spend.checkWindow(ticket.request);
    return finding && ticket.found(finding);
  };
}

/** A trip or the caller's signal ends the wait for other calls. */
function onTripOrAbort(
  circuit: Pick<CircuitController, 'onOpen'>,
  signal: AbortSignal | undefined,
): OnCancel {
  return (end) => {
    if (signal?.aborted) {
      end();
      return () => {};
    }
    const offOpen = circuit.onOpen(end);
    const offAbort = signal && onAbort(signal, end);
    return () => {
      offOpen();
      offAbort?.();
    };
  };
}

type ModelTicket = Ticket<ModelRequestSignal>;

/** Waits for a judge that blocks. */
export function judgeAnswered({ judge }: StagesParts): Stage {
  return ({ options }) => {
    const answered = judge.isBlocking ? judge.answered() : undefined;
    return answered && untilAborted(answered, options.signal).then(() => undefined);
  };
}

/** Where a loop of calls is foreseen and refused, identical ones wait for each other. */
function mostIdentical({ detection, reactions, maxIdenticalInFlight }: StagesParts): number {
  const mayWait = detection.detectors.some(
    ({ kind, foresee }) => foresee && reactions.stopsFor(kind),
  );
  return mayWait ? maxIdenticalInFlight : Number.POSITIVE_INFINITY;
}

/** Lets only so many identical tool calls run side by side: the others learn first what came of them. */
export function fewIdentical(parts: StagesParts): Stage {
  const { circuit, detection } = parts;
  const calls = new IdenticalCalls(mostIdentical(parts));
  // With an open circuit it does not matter who asks what.
  const askOf = ({ request, options }: Ticket): Ask | undefined => {
    const isAsked = request.kind === 'tool-call' && circuit.isPassable(options.within);
    return isAsked ? detection.askOf(request) : undefined;
  };
  const hasToWait = ({ options }: Ticket, key: number): boolean => {
    const isPassing = options.isIndependent || circuit.refusal(options.within) === undefined;
    return isPassing && calls.isFull(key);
  };
  const wait = async (ticket: Ticket, key: number): Promise<undefined> => {
    const { signal } = ticket.options;
    while (hasToWait(ticket, key)) {
      await calls.waitForPlace(key, onTripOrAbort(circuit, signal));
      if (signal?.aborted) calls.wakeNext(key);
      signal?.throwIfAborted();
    }
    ticket.onEnd(calls.enter(key));
  };
  return (ticket) => {
    const ask = askOf(ticket);
    ticket.ask = ask;
    if (!ticket.options.willRelease || ask === undefined || ask.polls !== undefined) {
      return undefined;
    }
    if (hasToWait(ticket, ask.key)) return wait(ticket, ask.key);
    ticket.onEnd(calls.enter(ask.key));
    return undefined;
  };
}

/** Waits for what other processes know of the circuit, and for leave to be the one probe of all if it is time for one. */
export function oneProbeOfAll({ id, circuit }: StagesParts, circuits: SharedCircuits): Stage {
  const ask = ({ request, options }: Ticket): MaybePromise<undefined> => {
    const trip = circuit.refusal(options.within);
    if (trip === undefined || isCountedHere(trip) || !circuit.isProbeDue(request)) return undefined;
    return andThen(circuits.askProbe(id, request.at), () => {
      // Another step has become the probe, or else somebody has stopped the conversation meanwhile.
      const isOver = !circuit.isProbeDue(request) && circuit.state.status !== 'half-open';
      if (isOver) circuits.giveBackProbe(id);
      return undefined;
    });
  };
  return (ticket) => {
    const isSpared = circuit.trip !== undefined && ticket.isWrapUp && circuit.claimWrapUp(ticket);
    if (isSpared) return undefined;
    return andThen(circuits.ready, () => ask(ticket));
  };
}

/** Delays a model call until it has its slot among all others. */
export function inTurn({ id, circuit, reactions, throttle, slots }: StagesParts): ModelStage {
  // Whom the call is made for takes turns with others, or else the conversation.
  const whoseIs = ({ user, team, key }: ModelRequestSignal): string => {
    const names = [user, team, key];
    return names.some(Boolean) ? JSON.stringify(names) : id;
  };
  // Where trips of the kind stop nobody, the call begins without a slot.
  const refuse = (found: Found): Trip | undefined =>
    reactions.refuse(found, { opens: false }) ?? reactions.react(found);
  const take = (
    answer: Slot | NoSlot | undefined,
    ticket: ModelTicket,
  ): MaybePromise<Trip | undefined> => {
    const { request, options } = ticket;
    if (answer === undefined) {
      options.signal?.throwIfAborted();
      // If the trip that ended the wait is over by now, the wait begins again.
      return ticket.askCircuit(circuit) ?? enter(ticket);
    }
    if (answer.finding !== undefined) return refuse(ticket.found(answer.finding));
    const { begin, end, cancel } = answer;
    const admitted = (): void => {
      begin();
      ticket.onEnd(slots.add(request, end));
    };
    ticket.onDecision({ refused: cancel, admitted });
    return undefined;
  };
  const enter = (ticket: ModelTicket): MaybePromise<Trip | undefined> => {
    if (!throttle.isOn) return undefined;
    const { request, options } = ticket;
    const slot = throttle.enter(request, whoseIs(request), onTripOrAbort(circuit, options.signal));
    return andThen(slot, (answer) => take(answer, ticket));
  };
  return enter;
}

/** Reserves what a model call may take. With `budget.whenFull: 'wait'` it waits for other calls. */
export function withinBudget({ circuit, reactions, spend }: StagesParts): ModelStage {
  const take = (
    answer: BudgetAnswer | undefined,
    ticket: ModelTicket,
  ): MaybePromise<Trip | Found | undefined> => {
    const { request, options, index } = ticket;
    if (answer === undefined) {
      options.signal?.throwIfAborted();
      // If the trip that ended the wait is over by now, the wait begins again.
      return ticket.askCircuit(circuit) ?? enter(ticket);
    }
    const { finding, reservation } = answer;
    if (reservation !== undefined) {
      const refused = (): void =>
        reactions.reactLater(spend.budget.release([reservation]), index, request.at);
      ticket.onDecision({ refused });
      return undefined;
    }
    return ticket.found(finding);
  };
  const enter: ModelStage = (ticket) => {
    const { request, options } = ticket;
    const until = onTripOrAbort(circuit, options.signal);
    const reserved = spend.budget.reserve(spend.callOf(request), until);
    return andThen(reserved, (answer) => take(answer, ticket));
  };
  return enter;
}
