import type { ChatMessage } from './message.ts';

const deliveries = new WeakMap<ChatMessage, number>();
let last = 0;

/** A number no other utterance in this process has. */
export function nextDelivery(): number {
  last += 1;
  return last;
}

/** Notes which utterance a stored message is a copy of. */
export function markDelivery(message: ChatMessage, delivery: number): void {
  deliveries.set(message, delivery);
}

/** Which utterance a stored message is a copy of; a new number when it was never delivered. */
export function deliveryOf(message: ChatMessage): number {
  return deliveries.get(message) ?? nextDelivery();
}
