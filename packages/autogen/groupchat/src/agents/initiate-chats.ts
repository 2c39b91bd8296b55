import type { ChatResult } from '../chats/chat.ts';
import { runQueue } from '../chats/chat-queue.ts';
import type { QueuedChat } from './agent-types.ts';

/**
 * Runs chats one after the other; each gets the summaries of those before it as carryover.
 *
 * The queue is not changed, so it can be run again.
 */
export function initiateChats(queue: readonly QueuedChat[]): Promise<ChatResult[]> {
  return runQueue(queue);
}
