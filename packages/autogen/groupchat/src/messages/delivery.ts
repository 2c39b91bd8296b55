import type { ChatMessage } from './message.ts';

const deliveries = new WeakMap<ChatMessage, number>();
let last = 0;

/** Returns a number that is unique in this process. */
export function nextDelivery(): number {
  last += 1;
  return last;
}

/** Records the utterance that a stored message is a copy of. */
export function markDelivery(message: ChatMessage, delivery: number): void {
  deliveries.set(message, delivery);
}

/** Returns the utterance that a stored message is a copy of; a new number if it was never delivered. */
export function deliveryOf(message: ChatMessage): number {
  return deliveries.get(message) ?? nextDelivery();
}
