import type { CircuitState } from '../circuit/circuit.ts';
import type { CircuitFollower } from '../circuit/circuit-sharing.ts';
import type { Trip } from '../circuit/trip.ts';
import type { JsonValue } from '../common/json.ts';
import { Tenant } from '../signal/tenant.ts';
import { MAX_CONVERSATIONS } from './breaker-snapshot.ts';
import { Conversation } from './conversation.ts';
import { beginStopped, follow, type Shared } from './conversation-parts.ts';
import { RecentConversations } from './recent-conversations.ts';
import { RememberedStops, type RememberedStopsSnapshot } from './remembered-stops.ts';

/** The id of the main conversation. */
export const MAIN = '';
/** The most busy conversations that are skipped to forget others. */
const MOST_LOOKS = 8;

/** The main conversation of a breaker, and the others that are kept. */
export class Conversations implements CircuitFollower {
  readonly main: Conversation;
  readonly #shared: Shared;
  readonly #isOne: boolean;
  /** All but the main one, the least recently used first. */
  readonly #others: RecentConversations = new RecentConversations();
  #remembered: RememberedStops = new RememberedStops();
  /** All that exist: a forgotten one may still run, and must hear of a stop. */
  readonly #existing: Set<WeakRef<Conversation>> = new Set();
  readonly #gone: FinalizationRegistry<WeakRef<Conversation>> = new FinalizationRegistry((one) => {
    this.#existing.delete(one);
  });
  #latest: Conversation | undefined;
  /** How many teams there were, the main one included. */
  teams = 1;

  /**
   * `isOne` makes every id that of the main one of its tenant.
   * @throws {@link InvalidOptionError}
   * @internal
   */
  constructor(shared: Shared, isOne: boolean) {
    this.#shared = shared;
    this.#isOne = isOne;
    this.main = this.create(MAIN);
  }

  /** The main one first. */
  get all(): readonly Conversation[] {
    return [this.main, ...this.others];
  }

  get others(): readonly Conversation[] {
    return this.#others.all;
  }

  /** The main one, and as many others as a snapshot may hold. */
  get kept(): readonly Conversation[] {
    return [this.main, ...this.others.slice(-MAX_CONVERSATIONS)];
  }

  /** Every conversation that still exists, also forgotten ones; the main one comes last. */
  get alive(): readonly Conversation[] {
    const existing = [...this.#existing].map((one) => one.deref() ?? this.main);
    return [...existing.filter((one) => one !== this.main), this.main];
  }

  /** The conversation of this id; a new one if there is none. */
  get(id: string): Conversation {
    const conversation = this.findOrRecall(id) ?? this.create(this.#idOf(id));
    this.#keep(conversation);
    return conversation;
  }

  /** The conversation of this id, if it is kept or its circuit is open. */
  findOrRecall(given: string): Conversation | undefined {
    const id = this.#idOf(given);
    if (id === MAIN) return this.main;
    const kept = this.#others.get(id);
    if (kept !== undefined) return kept;
    const open = this.#remembered.open.get(id);
    if (open === undefined) return undefined;
    const conversation = this.create(id);
    if (this.#remembered.tenants.of(conversation.tenant) === undefined)
      conversation.parts.circuit.recall(open);
    this.#keep(conversation);
    return conversation;
  }

  /** Stops all conversations of a tenant, and those to come, until {@link Conversations.reset}. Returns the trip of its main one. */
  stop(reason: string, tenant: Tenant = Tenant.everybody): Trip {
    this.#remembered.tenants.add(tenant, { reason, at: this.main.now() });
    for (const one of this.alive) {
      if (tenant.has(one.tenant) && one !== this.main) this.#stopWithTenant(one, reason);
    }
    const trip = this.#stopWithTenant(this.get(tenant.prefix), reason);
    this.#shared.circuits?.tellStop(tenant.prefix, trip);
    return trip;
  }

  /** Ends the stops of a tenant, and resets all of its conversations. What stops more than the tenant holds on. */
  reset(tenant: Tenant = Tenant.everybody): void {
    const { circuits } = this.#shared;
    for (const prefix of this.#remembered.tenants.end(tenant))
      circuits?.tellStop(prefix, undefined);
    this.#remembered.forget((id, state) => {
      const isOwn = tenant.has(Tenant.of(id));
      if (isOwn && circuits?.isShared(id)) circuits.tell(id, { type: 'reset' }, state);
      return isOwn;
    });
    for (const one of this.alive) {
      if (!tenant.has(one.tenant)) continue;
      one.reset();
      this.#applyStop(one);
    }
    this.#others.rescan();
  }

  /** Takes over what other processes know of a circuit. */
  follow(given: string, state: CircuitState): void {
    const id = this.#idOf(given);
    const isTenantStopped = this.#remembered.tenants.of(Tenant.of(id)) !== undefined;
    if (isTenantStopped || !this.#shared.circuits?.isShared(id)) return;
    for (const one of this.alive) if (one.id === id) follow(one.parts, state);
    const isKept = id === MAIN || this.#others.get(id) !== undefined;
    if (state.status === 'closed') this.#remembered.open.delete(id);
    else if (!isKept) this.#remembered.open.set(id, { state, probes: 0 });
    this.#others.rescan();
  }

  /** Takes over a stop of a tenant, or its end. */
  followStop(
    prefix: string,
    state: CircuitState,
    circuitOf: (id: string) => CircuitState | undefined,
  ): void {
    const tenant = Tenant.of(prefix);
    const stop = state.status === 'stopped' ? state.trip : undefined;
    if (stop === undefined) this.#remembered.tenants.end(tenant);
    else this.#remembered.tenants.add(tenant, { reason: stop.reason, at: stop.at });
    for (const one of this.alive) {
      if (!tenant.has(one.tenant)) continue;
      if (stop !== undefined) this.#stopWithTenant(one, stop.reason);
      if (this.#remembered.tenants.of(one.tenant) !== undefined) continue;
      const circuit = circuitOf(one.id);
      if (circuit !== undefined) follow(one.parts, circuit);
    }
    this.#others.rescan();
  }

  /** Lets conversations go on that the budget has stopped. */
  resume(): void {
    this.#remembered.forget(
      (_, state) => state.status !== 'closed' && state.trip.kind === 'budget',
    );
    for (const { trip, parts } of this.alive) if (trip?.kind === 'budget') parts.circuit.reset();
    this.#others.rescan();
  }

  /** A new id for a team. */
  newId({ prefix }: Tenant = Tenant.everybody): string {
    let id: string;
    do id = this.ownId(`team ${++this.teams}`);
    while (
      this.#others.get(prefix + id) !== undefined ||
      this.#remembered.open.get(prefix + id) !== undefined
    );
    return id;
  }

  /** An id that nobody has chosen: with circuits that others share, it is told apart from theirs. */
  ownId(id: string): string {
    return this.#shared.circuits?.ownId(id) ?? id;
  }

  /** Forgets a conversation unless its circuit is open. */
  forget(id: string): void {
    if (this.#others.get(id)?.state.status !== 'closed') return;
    this.#others.delete(id);
    this.#latest = undefined;
  }

  /** A new conversation, kept from its first use. */
  create(id: string): Conversation {
    const conversation = new Conversation(id, this.#shared, {
      used: (used) => this.#keep(used),
      idle: () => this.#trim(),
    });
    const existing = new WeakRef(conversation);
    this.#existing.add(existing);
    this.#gone.register(conversation, existing);
    const stop = this.#remembered.tenants.of(conversation.tenant);
    if (stop !== undefined) beginStopped(conversation.parts, stop);
    return conversation;
  }

  /** Keeps the main one and these, and no others. */
  replaceOthers(conversations: readonly Conversation[]): void {
    this.#others.clear();
    this.#latest = undefined;
    for (const conversation of conversations) this.#others.set(conversation);
  }

  /** What stops conversations beside those that are {@link Conversations.kept}. */
  snapshot(): RememberedStopsSnapshot {
    const { disclosure } = this.main.parts;
    const beyond = this.others.slice(0, -MAX_CONVERSATIONS);
    return this.#remembered.snapshot((reason) => disclosure.reason(reason), beyond);
  }

  /** Restores one conversation. A stop of its tenant counts, and what the others say of its circuit. */
  restore(conversation: Conversation, snapshot: JsonValue): void {
    conversation.restore(snapshot);
    this.#applyStop(conversation);
    this.#shared.circuits?.recall(conversation.id);
    this.#others.rescan();
  }

  /** Takes over the stops of a snapshot. */
  restoreStops(stops: RememberedStops): void {
    this.#remembered = stops;
  }

  /** Marks a conversation as the latest. */
  #keep(conversation: Conversation): void {
    const { id } = conversation;
    this.#applyStop(conversation);
    if (id === MAIN || conversation === this.#latest) return;
    this.#latest = conversation;
    this.#remembered.open.delete(id);
    this.#others.set(conversation);
    this.#trim();
  }

  /** Beyond the bound, conversations are forgotten; of open ones, the circuit is kept. */
  #trim(): void {
    const latest = this.#latest ?? this.main;
    // Those under way are looked at later again, and few at a time: there may be thousands of them.
    for (let looks = MOST_LOOKS; looks > 0 && this.#others.size > MAX_CONVERSATIONS; ) {
      const oldest = this.#others.oldest(latest);
      if (oldest.isUnderWay) {
        this.#others.set(oldest);
        looks--;
        continue;
      }
      this.#others.delete(oldest.id);
      this.#remembered.keep(oldest);
    }
  }

  /** Stops a conversation that its tenant's stop concerns. */
  #applyStop(conversation: Conversation): void {
    const stop = this.#remembered.tenants.of(conversation.tenant);
    if (stop !== undefined && conversation.state.status !== 'stopped')
      this.#stopWithTenant(conversation, stop.reason);
  }

  /** Stops a conversation with its tenant, of whose stop the others are told. Its probe, if it is one of all, is over. */
  #stopWithTenant(conversation: Conversation, reason: string): Trip {
    const { circuits } = this.#shared;
    const { state, id } = conversation;
    if (circuits === undefined) return conversation.stop(reason);
    if (state.status === 'half-open') circuits.giveBackProbe(id);
    return circuits.withoutBroadcast(() => conversation.stop(reason));
  }

  #idOf(id: string): string {
    return this.#isOne ? Tenant.of(id).prefix : id;
  }
}
