import { MAX_CONVERSATIONS } from './breaker-snapshot.ts';
import { Conversation } from './conversation.ts';
import type { Shared } from './conversation-parts.ts';

/** The id of the main conversation. @internal */
export const MAIN = '';

/** The conversations of a breaker: the main one, and further ones as far as they are kept. @internal */
export class Conversations {
  readonly main: Conversation;
  readonly #shared: Shared;
  /** All but the main one, the least recently used first. */
  readonly #others: Map<string, Conversation> = new Map();
  /** The one that was used last. */
  #latest: Conversation | undefined;

  /** @throws {@link InvalidOptionError} */
  constructor(shared: Shared) {
    this.#shared = shared;
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
    if (id === MAIN) return this.main;
    const conversation = this.#others.get(id) ?? this.create(id);
    this.#keep(conversation);
    return conversation;
  }

  /** A conversation that is kept only once it is used. */
  create(id: string): Conversation {
    return new Conversation(id, this.#shared, (used) => this.#keep(used));
  }

  /** Keeps these beside the main one, and no others. */
  replaceOthers(conversations: readonly Conversation[]): void {
    this.#others.clear();
    this.#latest = undefined;
    for (const conversation of conversations) this.#others.set(conversation.id, conversation);
  }

  /** Keeps a conversation as the one used last; beyond the bound another one is forgotten, a closed one if there is any. */
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
