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
import { TripNotice } from './trip-notice.ts';

/** A guard context that knows chats. */
export class ChatContext extends GuardContext<Place> {
  readonly onTrip: TripMode;
  readonly limits: LimitScope;
  readonly #notice: TripNotice = new TripNotice();
  /** The place of agents that are asked outside of any chat. */
  readonly #loose: Place = new Place(0);

  /** @throws {@link InvalidOptionError} naming the option, the expected and the received value. */
  constructor(breaker: Breaker, options: GuardOptions) {
    const { onTrip, limits, common } = checkChatOptions(options);
    super(breaker, common);
    this.onTrip = onTrip;
    this.limits = limits;
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

  /** Runs work at a new place in a scope. */
  at<T>(scope: Scope<Place>, parts: PlaceParts, work: () => Promise<T>): Promise<T> {
    return this.within({ ...scope, local: this.newPlace(parts) }, () => work());
  }

  /** The probe of the current conversation. */
  get probe(): Probe | undefined {
    return Probe.of(this.conversation);
  }

  /** Makes a turn the probe of the current conversation. */
  beginProbe(permit: Permit, turn: Probe['turn']): Probe {
    return new Probe(this.conversation, permit, turn, this.scope?.run);
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

  /** The text that tells the team about a trip, where a reply is to do so and has not yet. */
  noticeOf(trip: Trip | undefined): string | undefined {
    const isTold = trip !== undefined && this.onTrip === 'reply' && !this.isRehearsal;
    return isTold ? this.#notice.take(trip, this.scope) : undefined;
  }

  /** The refusal of choosing a speaker in a run that was stopped, unless the speaker is to tell of it. */
  get selectionRefusal(): Refusal | undefined {
    const { scope } = this;
    const trip = scope?.run.trip;
    if (trip === undefined || (this.onTrip === 'reply' && this.#notice.isDue(scope)))
      return undefined;
    if (this.onTrip === 'throw') throw new TrippedError(trip);
    return { reason: trip.reason };
  }

  /**
   * While a turn is to probe, the next agent in the ring speaks, and no model is asked to choose it.
   *
   * @throws a refusal that does not stop the team.
   */
  spareSelection(): void {
    const { scope, conversation } = this;
    if (scope?.run.trip !== undefined || scope?.permit !== undefined) return;
    if (conversation.trip !== undefined) throw refusal(conversation.trip);
  }

  /** The error by which a step ends: a refusal has the form that agents take for one, where trips are not thrown. */
  refusedBy(error: unknown): unknown {
    const trip = isRefusal(error) ? undefined : tripIn(error);
    if (trip === undefined) return error;
    if (this.onTrip === 'throw') return new TrippedError(trip);
    return refusal(trip, error);
  }
}

/** A trip as agents take refusals. */
function refusal({ reason }: Trip, cause?: unknown): Error {
  return Object.assign(new Error(reason, { cause }), { refusal: { reason } });
}

/** Whether a guard of another breaker has given an error its form. */
function isRefusal(error: unknown): boolean {
  return 'refusal' in Object(error);
}
