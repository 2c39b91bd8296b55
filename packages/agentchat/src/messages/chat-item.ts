import { BaseChatMessage } from './chat/chat-message.ts';
import { BaseAgentEvent } from './events/agent-event.ts';

/** Anything a conversation consists of: what was said, and what could be seen happening. */
export type ChatItem = BaseChatMessage | BaseAgentEvent;

/** Whether a value is something that was said. */
export function isChatMessage(value: unknown): value is BaseChatMessage {
  return value instanceof BaseChatMessage;
}

/** Whether a value is something that was seen happening. */
export function isAgentEvent(value: unknown): value is BaseAgentEvent {
  return value instanceof BaseAgentEvent;
}
