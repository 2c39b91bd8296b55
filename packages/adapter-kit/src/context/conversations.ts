import type { Breaker, Conversation } from '@teamfuse/core';

/** Conversations of a breaker for runs: runs one after another share one, runs side by side do not. */
export class ConversationPool {
  readonly #breaker: Breaker;
  readonly #used: Set<string> = new Set();

  constructor(breaker: Breaker) {
    this.#breaker = breaker;
  }

  /** Whether no run is under way. */
  get isIdle(): boolean {
    return this.#used.size === 0;
  }

  /** The first conversation that no run uses. `slot` names it for {@link ConversationPool.release}. */
  acquire(): { readonly slot: string; readonly conversation: Conversation } {
    let slot = '';
    for (let number = 2; this.#used.has(slot); number++) slot = `run ${number}`;
    this.#used.add(slot);
    return { slot, conversation: this.#breaker.conversation(slot) };
  }

  /** Frees the conversation of a run that is over. Idempotent. */
  release(slot: string): void {
    this.#used.delete(slot);
  }
}
