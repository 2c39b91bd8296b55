import type { ChatItem } from '../messages/chat-item.ts';

/** What came of a run. */
export interface TaskResult {
  /** Everything that was streamed in this run, except the chunks of messages that were still being written. */
  readonly messages: readonly ChatItem[];
  /** Why a team stopped; `null` for a single agent. */
  readonly stopReason: string | null;
  /**
   * The guard's refusal that ended the run, if one did.
   *
   * Whoever runs a team inside something else throws it again: a refusal ends everything around it.
   */
  readonly refusal?: unknown;
}

/** Whether an item of a run's stream is its {@link TaskResult}. */
export function isTaskResult(item: unknown): item is TaskResult {
  return typeof item === 'object' && item !== null && 'stopReason' in item && 'messages' in item;
}
