import { BaseChatMessage } from './chat/chat-message.ts';
import { BaseAgentEvent } from './events/agent-event.ts';

/** An item of a conversation: a chat message or an event. */
export type ChatItem = BaseChatMessage | BaseAgentEvent;

/** Whether a value is a chat message. */
export function isChatMessage(value: unknown): value is BaseChatMessage {
  return value instanceof BaseChatMessage;
}

/** Whether a value is an event. */
export function isAgentEvent(value: unknown): value is BaseAgentEvent {
  return value instanceof BaseAgentEvent;
}
