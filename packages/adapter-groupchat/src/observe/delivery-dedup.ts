import type { Conversation } from '@teamfuse/core';
import { BoundedMap } from '@teamfuse/core/kit';

/** How many utterances are remembered, so that late copies are recognised. */
const MAX_REMEMBERED = 4096;

const perConversation: WeakMap<Conversation, DeliveryDedup> = new WeakMap();

/** Tells utterances from copies of them: a message is stored by its speaker, by those who hear it, and by its group. */
export class DeliveryDedup {
  readonly #known: BoundedMap<number, true> = new BoundedMap(MAX_REMEMBERED);

  /** All guards of a breaker share one for each conversation. */
  static of(conversation: Conversation): DeliveryDedup {
    const known = perConversation.get(conversation) ?? new DeliveryDedup();
    perConversation.set(conversation, known);
    return known;
  }

  /** Whether this is the first copy of the utterance. */
  isNew(delivery: number): boolean {
    return this.#known.add(delivery, true);
  }
}
