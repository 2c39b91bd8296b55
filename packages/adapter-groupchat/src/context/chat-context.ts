import { GuardContext, type Scope, tripIn } from '@teamfuse/adapter-kit';
import { type Breaker, type Permit, type Trip, TrippedError } from '@teamfuse/core';
import type { Refusal } from '@teamfuse/groupchat';
import { groupOf } from './agent-view.ts';
import {
  checkChatOptions,
  type GuardOptions,
  type LimitScope,
  type TripMode,
} from './chat-options.ts';
import { Place, type PlaceParts } from './place.ts';
import { Probe } from './probe.ts';
import { isRehearsedByOthers } from './self-test-harness.ts';
import { TripNotice } from './trip-notice.ts';

/** A guard context that knows chats. */
export class ChatContext extends GuardContext<Place> {
  readonly onTrip: TripMode;
  readonly limits: LimitScope;
  readonly notice: TripNotice = new TripNotice();
  /** The place of agents that are asked outside of any chat. */
  readonly #loose: Place = new Place(0);

  /** @throws {@link InvalidOptionError} naming the option, the expected and the received value. */
  constructor(breaker: Breaker, options: GuardOptions) {
    const { onTrip, limits, common } = checkChatOptions(options);
    super(breaker, common);
    this.onTrip = onTrip;
    this.limits = limits;
  }

  /** Whether the current event or question is for this guard: it is installed, and no other guard tests itself. */
  get isAddressed(): boolean {
    return this.isActive && !isRehearsedByOthers(this);
  }

  /** The current place. Scopes of other adapters have none. */
  get place(): Place {
    const local: unknown = this.scope?.local;
    return local instanceof Place ? local : this.#loose;
  }

  /** The current scope; outside of all, one for `name`. */
  scopeFor(name: string): Scope<Place> {
    return this.scope ?? this.looseScope(name);
  }

  newPlace(parts?: PlaceParts): Place {
    return new Place(this.breaker.now(), parts);
  }

  /** The probe of the current conversation. */
  get probe(): Probe | undefined {
    return Probe.of(this.conversation);
  }

  /** Makes a turn the probe of the current conversation. */
  beginProbe(permit: Permit, turn: Probe['turn']): Probe {
    return Probe.begin(this.conversation, permit, turn, this.scope?.run);
  }

  /** Whether an agent runs a group in which a member is about to be the probe. */
  leavesProbeToMember(agent: object): boolean {
    if (groupOf(agent) === undefined || this.scope?.run.trip !== undefined) return false;
    const { state } = this.conversation;
    return state.status === 'open' && this.breaker.now() >= state.probeFrom;
  }

  /** The trip that refuses a step of a turn: only a whole turn may be the probe. */
  get stepTrip(): Trip | undefined {
    const { scope } = this;
    if (scope?.run.trip !== undefined) return scope.run.trip;
    const { state } = this.conversation;
    // What wraps up asks for itself.
    if (this.isWrapUp) return undefined;
    return scope?.permit === undefined && state.status === 'open' ? state.trip : undefined;
  }

  /**
   * The refusal that an error of asking stands for. What cannot be asked for is reported, and begins.
   *
   * @throws the error where trips are thrown.
   */
  refusalOf(error: unknown): Refusal | undefined {
    const trip = tripIn(error);
    if (trip === undefined) this.report('admit', error);
    else if (this.onTrip === 'throw') throw new TrippedError(trip);
    return trip && { reason: trip.reason };
  }

  /** The error by which a step ends: a refusal has the form that agents take for one, where trips are not thrown. */
  refusedBy(error: unknown): unknown {
    const trip = isRefusal(error) ? undefined : tripIn(error);
    if (trip === undefined) return error;
    if (this.onTrip === 'throw') return new TrippedError(trip);
    const { reason } = trip;
    return Object.assign(new Error(reason, { cause: error }), { refusal: { reason } });
  }
}

/** Whether a guard of another breaker has given an error its form. */
function isRefusal(error: unknown): boolean {
  return 'refusal' in Object(error);
}
