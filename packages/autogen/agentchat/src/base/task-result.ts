import type { ChatItem } from '../messages/chat-item.ts';

/** The result of a run. */
export interface TaskResult {
  /** All items streamed in this run, except message chunks. */
  readonly messages: readonly ChatItem[];
  /** The reason a team stopped; `null` for a single agent. */
  readonly stopReason: string | null;
  /**
   * The guard's refusal that ended the run, if one did.
   *
   * Code that runs a team inside something else must throw it again, as a refusal ends everything around it.
   */
  readonly refusal?: unknown;
}

/** Whether an item of a run's stream is its {@link TaskResult}. */
export function isTaskResult(item: unknown): item is TaskResult {
  return typeof item === 'object' && item !== null && 'stopReason' in item && 'messages' in item;
}
