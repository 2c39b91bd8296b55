import type { BaseChatMessage } from '../messages/chat/chat-message.ts';
import { HandoffMessage } from '../messages/chat/handoff-message.ts';
import type { ChatCompletionContext } from '../model-context/chat-completion-context.ts';

/** Adds messages to a model's context; the context of a handoff comes before the handoff. */
export async function addToContext(
  context: ChatCompletionContext,
  messages: readonly BaseChatMessage[],
): Promise<void> {
  for (const message of messages) {
    if (message instanceof HandoffMessage) {
      for (const earlier of message.context) await context.addMessage(earlier);
    }
    await context.addMessage(message.toModelMessage());
  }
}
