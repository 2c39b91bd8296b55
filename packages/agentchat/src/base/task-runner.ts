import type { BaseChatMessage } from '../messages/chat/chat-message.ts';
import type { ChatItem } from '../messages/chat-item.ts';
import type { TaskResult } from './task-result.ts';

/** Options of a step that can be cancelled. */
export interface CancelOptions {
  /** Aborted to cancel; what was cancelled throws a {@link CancelledError}. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of a run. */
export interface RunOptions extends CancelOptions {
  /** What is to be done: a text counts as said by `user`. @defaultValue null: a team goes on where it stopped */
  readonly task?: string | BaseChatMessage | readonly BaseChatMessage[] | null | undefined;
  /** Whether the task itself is streamed and part of the result. @defaultValue true */
  readonly outputTaskMessages?: boolean | undefined;
}

/** Something that can work on a task: an agent or a team. */
export interface TaskRunner {
  run(options?: RunOptions): Promise<TaskResult>;
  /** Yields what happens, then exactly one {@link TaskResult}. Nothing happens before the first item is asked for. */
  runStream(options?: RunOptions): AsyncGenerator<ChatItem | TaskResult, void>;
}
