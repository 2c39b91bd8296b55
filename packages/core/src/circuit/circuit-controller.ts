import { inBackground, type MaybePromise } from '../common/maybe-promise.ts';
import type { AdmissionRequest } from '../signal/request.ts';
import type { ModelRequestSignal, Signal, UsageSignal } from '../signal/signal.ts';
import { type CircuitEvent, type CircuitState, CLOSED, transition } from './circuit.ts';
import type { OpenCircuit } from './circuit-codec.ts';
import { isCountedHere, withoutQuotes } from './circuit-sharing.ts';
import type { Permit } from './permit.ts';
import type { Trip } from './trip.ts';
import type { WrapUpOptions } from './wrap-up.ts';

/** The running probe: its permit, and whose step it is. */
interface Probe {
  readonly permit: Permit;
  readonly agent: string;
  readonly depth: number;
}

/** A step that may become the probe. */
interface Probing extends Permit {
  readonly request: AdmissionRequest;
  /** `ended` is told of the end of the step, and whether it was cancelled. */
  becomeProbe(ended: (isCancelled: boolean) => void): void;
}

/** A model call that only writes up what is there. */
interface WrapUpCall {
  readonly request: AdmissionRequest;
  onDecision(decided: { readonly refused: () => void }): void;
}

/** The events that a circuit emits. */
interface CircuitEvents {
  emit(event: 'state', payload: { readonly from: CircuitState; readonly to: CircuitState }): void;
  emit(event: 'error', payload: { readonly error: unknown; readonly during: 'state' }): void;
}

/** Whom a {@link CircuitController} tells. */
export interface CircuitHooks {
  /** Its state changes. */
  readonly changed: (from: CircuitState, to: CircuitState) => void;
  /** An event has changed its state here, of which other processes have to know. */
  readonly tell: ((event: CircuitEvent, from: CircuitState) => void) | undefined;
  /** Whether what a trip was about is over, such as the day of its purse. */
  readonly isOver: (trip: Trip) => boolean;
}

/** Options of a {@link CircuitController}, which are checked. */
interface CircuitSettings {
  /** Milliseconds of the first cool-down. */
  readonly cooldownMs: number;
  readonly wrapUp?: WrapUpOptions | undefined;
}

const MODEL_CALLS: readonly string[] = ['model-request', 'usage'];

/** Runs the pure circuit, and follows the probe. */
export class CircuitController {
  readonly #cooldownMs: number;
  readonly #now: () => number;
  readonly #events: CircuitEvents;
  readonly #hooks: CircuitHooks;
  readonly #wrapUp: WrapUpOptions | undefined;
  readonly #onOpen: Set<(trip: Trip) => void> = new Set();
  #state: CircuitState = CLOSED;
  #probes = 0;
  #probe: Probe | undefined;
  /** The latest call that writes up what is there after a stop. */
  #wrapUpCall: WrapUpCall | undefined;

  constructor(
    { cooldownMs, wrapUp }: CircuitSettings,
    now: () => number,
    events: CircuitEvents,
    hooks: CircuitHooks,
  ) {
    this.#cooldownMs = cooldownMs;
    this.#now = now;
    this.#events = events;
    this.#hooks = hooks;
    this.#wrapUp = wrapUp;
  }

  get state(): CircuitState {
    return this.#state;
  }

  get trip(): Trip | undefined {
    return this.#state.status === 'closed' ? undefined : this.#state.trip;
  }

  /** How many probes there were. */
  get probes(): number {
    return this.#probes;
  }

  /** See {@link Conversation.onOpen}. */
  onOpen(listener: (trip: Trip) => void): () => void {
    this.#onOpen.add(listener);
    return () => {
      this.#onOpen.delete(listener);
    };
  }

  /** Lets a step pass that is refused, as the probe, if one is due. Otherwise returns why it is refused. */
  probe(step: Probing): Trip | undefined {
    const { at, agent, depth = 0 } = step.request;
    const probeId = this.#probes + 1;
    // A time that the caller gives does not end a cool-down early.
    const now = Math.min(at, this.#now());
    const state = this.#state;
    const isOver = state.status === 'open' && this.#hooks.isOver(state.trip);
    this.apply({ type: 'probe', probeId }, isOver ? Math.max(now, state.probeFrom) : now);
    if (this.#state.status !== 'half-open' || this.#state.probeId !== probeId) return this.trip;
    step.becomeProbe((isCancelled) => {
      const type = isCancelled ? 'probe-cancelled' : 'probe-failed';
      this.apply({ type, probeId }, this.#now());
    });
    this.#probes = probeId;
    this.#probe = { permit: step, agent, depth };
    return undefined;
  }

  /** Whether a step of this time would be the probe. */
  isProbeDue({ at }: AdmissionRequest): boolean {
    const state = this.#state;
    return state.status === 'open' && Math.min(at, this.#now()) >= state.probeFrom;
  }

  /** Whether a step passes now without a cool-down before it. */
  isPassable(within?: Permit): boolean {
    const { status } = this.#state;
    return (status === 'open' && this.#cooldownMs === 0) || this.refusal(within) === undefined;
  }

  /** The trip that refuses a step with none of these permits. */
  refusal(...permits: readonly (Permit | undefined)[]): Trip | undefined {
    const state = this.#state;
    if (state.status === 'closed') return undefined;
    const probe = state.status === 'half-open' ? this.#probe?.permit : undefined;
    return probe !== undefined && permits.includes(probe) ? undefined : state.trip;
  }

  /**
   * Whether a call that writes up what is there may begin although the circuit is not closed. With `wrapUp` that is one after each
   * stop, unless a person has stopped the team, or a probe decides; without it, all that fit the reserve of a budget that is used up.
   */
  claimWrapUp(call: WrapUpCall): boolean {
    const state = this.#state;
    if (state.status === 'closed') return false;
    const { trip } = state;
    if (this.#wrapUp === undefined) return trip.kind === 'budget';
    if (trip.hasLastAnswer) return this.#wrapUpCall === call;
    const { maxOutputTokens = Number.POSITIVE_INFINITY } = call.request as ModelRequestSignal;
    const isTooLong = maxOutputTokens > this.#wrapUp.maxTokens;
    if (trip.kind === 'manual' || state.status === 'half-open' || isTooLong) return false;
    const written: Trip = { ...trip, hasLastAnswer: true };
    this.#wrapUpCall = call;
    this.#state = { ...state, trip: written };
    const refused = (): void => {
      const now = this.#state;
      if (now.status !== 'closed' && now.trip === written) this.#state = { ...now, trip };
    };
    call.onDecision({ refused });
    return true;
  }

  /** Whether a trip or a stop would change anything now. */
  wouldOpen(type: 'trip' | 'stop'): boolean {
    const { status } = this.#state;
    return type === 'stop' ? status !== 'stopped' : status === 'closed' || status === 'half-open';
  }

  /** Progress of the probe's agent, or in a chat nested in it, closes the circuit. Returns whether it did. */
  progress(signal: Signal): boolean {
    if (this.#state.status !== 'half-open' || this.#probe === undefined) return false;
    const { agent, depth } = this.#probe;
    if (signal.agent !== agent && (signal.depth ?? 0) <= depth) return false;
    return this.apply({ type: 'probe-passed', probeId: this.#state.probeId }, signal.at);
  }

  /** A model call of the probe that was answered closes a circuit that model calls have opened, whatever it brings. */
  answered(signal: UsageSignal): void {
    if (signal.error === undefined && this.trip && isOfModelCalls(this.trip)) this.progress(signal);
  }

  /** Closes the circuit. */
  reset(): void {
    if (this.#state.status !== 'closed') this.apply({ type: 'reset' }, this.#now());
  }

  /** Applies an event. Returns whether the state changed. */
  apply(event: CircuitEvent, at: number): boolean {
    const from = this.#state;
    const to = transition(from, event, at, this.#cooldownMs);
    if (to === from) return false;
    this.#become(to);
    this.#hooks.tell?.(event, from);
    return true;
  }

  /** Takes over a state that other processes know of. Returns whether that closed it. */
  follow(to: CircuitState): boolean {
    const from = this.#state;
    const isHere = from.status !== 'closed' && isCountedHere(from.trip);
    // A budget or limit of this process outlasts what the store says; only a stop by hand replaces it.
    if (isHere && to.status !== 'stopped') return false;
    if (from.status !== to.status) {
      this.#become(to);
      return to.status === 'closed';
    }
    // The store returns this process's own trip without its signals: keep them, and take the store's times.
    const isOwn = from.status !== 'closed' && to.status !== 'closed' && isSame(from.trip, to.trip);
    this.#state = isOwn ? { ...to, trip: from.trip } : to;
    return false;
  }

  /** What is kept of an open circuit: its state, without the signals of its trip. */
  get openCircuit(): OpenCircuit | undefined {
    const state = this.#state;
    if (state.status === 'closed') return undefined;
    return { state: { ...state, trip: withoutQuotes(state.trip) }, probes: this.#probes };
  }

  /** Begins with a state. A probe that was running has failed. Tells nobody. */
  recall({ state, probes }: OpenCircuit): void {
    const failed = {
      type: 'probe-failed',
      probeId: 'probeId' in state ? state.probeId : 0,
    } as const;
    this.#state = transition(state, failed, this.#now(), this.#cooldownMs);
    this.#probes = probes;
  }

  /** Continues from a stored state. A probe that was running has failed. */
  restore(state: CircuitState, probes: number): void {
    this.#probe = undefined;
    this.#become(state);
    // A permit of this process that is released late must not end a later probe.
    this.#probes = Math.max(this.#probes, probes);
    if (state.status !== 'half-open') return;
    this.apply({ type: 'probe-failed', probeId: state.probeId }, this.#now());
  }

  #become(to: CircuitState): void {
    const from = this.#state;
    this.#state = to;
    // Another process may have the next probe.
    if (to.status !== 'half-open') this.#probe = undefined;
    this.#events.emit('state', { from, to });
    this.#hooks.changed(from, to);
    if (to.status !== 'open' && to.status !== 'stopped') return;
    const failed = (error: unknown): void => this.#events.emit('error', { error, during: 'state' });
    for (const listener of this.#onOpen) {
      try {
        inBackground(listener(to.trip) as MaybePromise<unknown>, failed);
      } catch (error) {
        failed(error);
      }
    }
  }
}

/** Whether model calls alone are the reason: what they cost, their size, how often they were made or how they failed. */
function isOfModelCalls({ kind, evidence: { signals } }: Trip): boolean {
  if (kind === 'budget' || kind === 'context-window') return true;
  return signals.length > 0 && signals.every((one) => MODEL_CALLS.includes(one.kind));
}

function isSame(one: Trip, other: Trip): boolean {
  return one.reason === other.reason && one.at === other.at && one.index === other.index;
}
