import type { BaseChatMessage } from '../messages/chat/chat-message.ts';
import type { ChatItem } from '../messages/chat-item.ts';

/** The answer of an agent to its messages. */
export interface Response {
  readonly chatMessage: BaseChatMessage;
  /** Items that led to the answer, in order; a team's condition judges them together with the answer. */
  readonly innerMessages?: readonly ChatItem[] | null;
}

/** Whether an item of an agent's stream is its {@link Response}. */
export function isResponse(item: unknown): item is Response {
  return typeof item === 'object' && item !== null && 'chatMessage' in item;
}
