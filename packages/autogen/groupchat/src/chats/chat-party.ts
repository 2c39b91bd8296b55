import type { Agent } from '../messages/agent.ts';
import type { Conversations } from '../messages/conversations.ts';
import type { ChatMessage } from '../messages/message.ts';
import type { ModelUser } from '../models/model-access.ts';
import type { Admitter, Emitter } from '../taps/happening.ts';
import type { Stopper } from './stop.ts';

/** How a chat is prepared on one side. */
export interface PrepareChatOptions {
  readonly clearHistory: boolean;
  readonly prepareRecipient: boolean;
  readonly replyAtReceive: boolean;
}

/** The members of an agent that a chat with it uses. */
export interface ChatParty extends Stopper, Emitter, Admitter, ModelUser {
  readonly conversations: Conversations;
  readonly humanInputs: readonly string[];
  prepareChat(recipient: Agent, options: PrepareChatOptions): void;
  generateInitMessage(
    message: string | ChatMessage | null,
    carryover?: unknown,
  ): Promise<string | ChatMessage>;
  lastMessage(peer: Agent): ChatMessage | null;
  chatMessagesForSummary(peer: Agent): ChatMessage[];
}
