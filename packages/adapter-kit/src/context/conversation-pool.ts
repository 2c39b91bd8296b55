import type { Breaker, Conversation, Trip } from '@teamfuse/core';
import { internalsOf } from '@teamfuse/core/kit';

/** The conversations of one team: its runs one after another share the first, runs side by side have different ones. */
export class ConversationPool {
  /** The id of the first. */
  readonly id: string;
  /** The whole ids of all that runs have had. */
  readonly ids: ReadonlySet<string>;
  readonly #ids: Set<string> = new Set();
  /** What they are conversations of. */
  readonly breaker: Breaker;
  readonly #used: Set<string> = new Set();

  constructor(breaker: Breaker, id: string) {
    this.id = id;
    this.ids = this.#ids;
    this.breaker = breaker;
  }

  /** The conversation of a team that has one run at a time. */
  get first(): Conversation {
    return this.#conversation(this.id);
  }

  /** Why the circuit of the first is not closed. */
  get trip(): Trip | undefined {
    return internalsOf(this.breaker).conversations.findOrRecall(this.id)?.trip;
  }

  /** Whether no run is under way. */
  get isIdle(): boolean {
    return this.#used.size === 0;
  }

  /** The first conversation that no run uses. `slot` names it for {@link ConversationPool.release}. */
  acquire(): { readonly slot: string; readonly conversation: Conversation } {
    const { conversations } = internalsOf(this.breaker);
    let slot = this.id;
    for (let number = 2; this.#used.has(slot); number++) {
      const name = this.id === '' ? `run ${number}` : `${this.id}, run ${number}`;
      slot = conversations.ownId(name);
    }
    this.#used.add(slot);
    return { slot, conversation: this.#conversation(slot) };
  }

  /** Frees the conversation of a run that is over. Idempotent. */
  release(slot: string): void {
    this.#used.delete(slot);
  }

  #conversation(id: string): Conversation {
    const conversation = this.breaker.conversation(id);
    this.#ids.add(conversation.id);
    return conversation;
  }
}
