import type { MessageSignal } from '@teamfuse/core/kit';

const texts = new WeakMap<MessageSignal, string>();

/** The text of a message with single spaces; it is made once for all rules that ask. */
export function plainText(message: MessageSignal): string {
  let text = texts.get(message);
  if (text === undefined) {
    text = message.text.trim().replace(/\s+/g, ' ');
    texts.set(message, text);
  }
  return text;
}
