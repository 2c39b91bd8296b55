import type { Trip } from '../circuit/trip.ts';
import { Tenant } from '../signal/tenant.ts';
import type { Conversation } from './conversation.ts';
import type { Conversations } from './conversations.ts';

/** The conversations of a breaker that belong to one tenant. It looks up ids with or without the tenant's prefix. */
export class TenantConversations {
  readonly #conversations: Conversations;
  readonly #tenant: Tenant;

  /** @internal */
  constructor(conversations: Conversations, tenant: Tenant) {
    this.#conversations = conversations;
    this.#tenant = tenant;
  }

  /** The one without an id of its own. */
  get main(): Conversation {
    return this.#tenant === Tenant.everybody ? this.#conversations.main : this.get('');
  }

  /** Those that are kept, the main one first. */
  get all(): readonly Conversation[] {
    return this.#own(this.#conversations.all);
  }

  /** All of these but the main one. */
  get others(): readonly Conversation[] {
    return this.#own(this.#conversations.others).filter(({ id }) => id !== this.#tenant.prefix);
  }

  /** The conversation of this id; a new one if there is none. */
  get(id: string): Conversation {
    return this.#conversations.get(this.#tenant.idOf(id));
  }

  /** The conversation of this id, if it is kept or its circuit is open. */
  findOrRecall(id: string): Conversation | undefined {
    return this.#conversations.findOrRecall(this.#tenant.idOf(id));
  }

  /** A new id for a team. */
  newId(): string {
    return this.#conversations.newId(this.#tenant);
  }

  /** An id that nobody has chosen, such as that of a run beside others. */
  ownId(id: string): string {
    return this.#conversations.ownId(id);
  }

  /** Forgets a conversation unless its circuit is open. */
  forget(id: string): void {
    this.#conversations.forget(this.#tenant.idOf(id));
  }

  /** Stops all of them, and those to come, until {@link TenantConversations.reset}. @internal */
  stop(reason: string): Trip {
    return this.#conversations.stop(reason, this.#tenant);
  }

  /** Ends the stop, and resets all of them. @internal */
  reset(): void {
    this.#conversations.reset(this.#tenant);
  }

  #own(all: readonly Conversation[]): readonly Conversation[] {
    return all.filter(({ tenant }) => this.#tenant.has(tenant));
  }
}
