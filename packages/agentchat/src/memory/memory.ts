import type { RecalledContent } from '../messages/events/memory-query-event.ts';
import type { ChatCompletionContext } from '../model-context/chat-completion-context.ts';

/** One thing remembered. */
export type MemoryContent = RecalledContent;

/** What an agent knows beyond the conversation. */
export interface Memory {
  /** Adds to the context what is of use now, and tells what that was. Called before the first model call of a turn. */
  updateContext(context: ChatCompletionContext): Promise<readonly MemoryContent[]>;
  /** What is known about `query`, best first. */
  query(query: string): Promise<readonly MemoryContent[]>;
  /** Remembers one more thing. */
  add(content: MemoryContent): Promise<void>;
  /** Forgets everything. */
  clear(): Promise<void>;
}
