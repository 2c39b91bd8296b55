import { GuardContext, type Scope } from '@teamfuse/adapter-kit';
import type { Breaker, Trip } from '@teamfuse/core';
import type { Permit } from '@teamfuse/core/kit';
import { checkChatOptions, type GuardOptions, type LimitScope } from './chat-options.ts';
import { groupOf } from './group-of.ts';
import { Place, type PlaceParts } from './place.ts';
import { Probe } from './probe.ts';
import { Refusals, refusal } from './refusals.ts';

/** A guard context that knows chats. */
export class ChatContext extends GuardContext<Place> {
  readonly limits: LimitScope;
  readonly refusals: Refusals;
  /** The place of agents that are asked outside of any chat. */
  readonly #loose: Place = new Place(0);

  /** @throws {@link InvalidOptionError} naming the option, the expected and the received value. */
  constructor(breaker: Breaker, options: GuardOptions) {
    const { onTrip, limits, common } = checkChatOptions(options);
    super(breaker, common, { canWrapUp: true });
    this.limits = limits;
    this.refusals = new Refusals(this, onTrip);
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
    // Spelled out, since spreading is far slower and every turn and step has a place.
    const { run, depth, path, permit, agent, tool } = scope;
    const local = this.newPlace(parts);
    return this.within({ run, depth, path, permit, agent, tool, local }, work);
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
    const { state } = this.conversation;
    // Work that wraps up asks for its own steps.
    return state.status === 'open' && !this.isWrapUp ? this.tripForReader(state.trip) : undefined;
  }

  /**
   * While a turn is to probe, the next agent in the ring speaks, and no model is asked to choose it.
   *
   * @throws a refusal that does not stop the team.
   */
  spareSelection(): void {
    const { trip } = this.conversation;
    if (trip !== undefined && this.scope?.permit === undefined)
      throw refusal(this.tripForReader(trip));
  }
}
