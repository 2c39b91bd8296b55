import { MAX_CONVERSATIONS } from './breaker-snapshot.ts';
import { Conversation } from './conversation.ts';
import type { Shared } from './conversation-parts.ts';

/** The id of the main conversation. @internal */
export const MAIN = '';

/** The main conversation of a breaker, and the others that are kept. */
export class Conversations {
  readonly main: Conversation;
  readonly #shared: Shared;
  readonly #isOne: boolean;
  /** All but the main one, the least recently used first. */
  readonly #others: Map<string, Conversation> = new Map();
  #latest: Conversation | undefined;
  #teams = 1;

  /**
   * `isOne` makes every id that of the main one.
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
    return [...this.#others.values()];
  }

  /** The conversation of this id; a new one if there is none. */
  get(id: string): Conversation {
    const conversation = this.find(id) ?? this.create(id);
    this.#keep(conversation);
    return conversation;
  }

  /** The conversation of this id, if it is kept. */
  find(id: string): Conversation | undefined {
    return id === MAIN || this.#isOne ? this.main : this.#others.get(id);
  }

  /** A new id for a team. */
  newId(): string {
    let id: string;
    do id = `team ${++this.#teams}`;
    while (this.#others.has(id));
    return id;
  }

  /** Forgets a conversation unless its circuit is open. */
  forget(id: string): void {
    if (this.#others.get(id)?.state.status !== 'closed') return;
    this.#others.delete(id);
    this.#latest = undefined;
  }

  /** A new conversation, kept from its first use. */
  create(id: string): Conversation {
    return new Conversation(id, this.#shared, (used) => this.#keep(used));
  }

  /** Keeps the main one and these, and no others. */
  replaceOthers(conversations: readonly Conversation[]): void {
    this.#others.clear();
    this.#latest = undefined;
    for (const conversation of conversations) this.#others.set(conversation.id, conversation);
  }

  /** Marks a conversation as the latest. Beyond the bound, the oldest closed one is forgotten, or else the oldest. */
  #keep(conversation: Conversation): void {
    const { id } = conversation;
    if (id === MAIN || conversation === this.#latest) return;
    this.#latest = conversation;
    this.#others.delete(id);
    this.#others.set(id, conversation);
    if (this.#others.size <= MAX_CONVERSATIONS) return;
    let [forgotten] = this.#others.keys();
    for (const [one, { state }] of this.#others) {
      if (state.status !== 'closed') continue;
      forgotten = one;
      break;
    }
    if (forgotten === id) this.#latest = undefined;
    if (forgotten !== undefined) this.#others.delete(forgotten);
  }
}
