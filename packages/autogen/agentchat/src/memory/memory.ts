import type { RecalledContent } from '../messages/events/memory-query-event.ts';
import type { ChatCompletionContext } from '../model-context/chat-completion-context.ts';

/** A memory entry. */
export type MemoryContent = RecalledContent;

/** Knowledge of an agent beyond the conversation. */
export interface Memory {
  /** Adds relevant entries to the context, and returns them. Called before the first model call of a turn. */
  updateContext(context: ChatCompletionContext): Promise<readonly MemoryContent[]>;
  /** Entries about `query`, best first. */
  query(query: string): Promise<readonly MemoryContent[]>;
  /** Adds an entry. */
  add(content: MemoryContent): Promise<void>;
  /** Forgets everything. */
  clear(): Promise<void>;
}
