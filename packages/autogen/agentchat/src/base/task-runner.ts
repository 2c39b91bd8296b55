import type { OptionNames } from '@teamfuse/python-compat';
import type { BaseChatMessage } from '../messages/chat/chat-message.ts';
import type { ChatItem } from '../messages/chat-item.ts';
import { ValueError } from './errors.ts';
import { invalidOption, knownOptions } from './options.ts';
import type { TaskResult } from './task-result.ts';

/** Options of a step that can be cancelled. */
export interface CancelOptions {
  /** Abort it to cancel; the cancelled call throws a {@link CancelledError}. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of a run. */
export interface RunOptions extends CancelOptions {
  /** The task; a text becomes a message of `user`. @defaultValue null: a team continues where it stopped */
  readonly task?: string | BaseChatMessage | readonly BaseChatMessage[] | null | undefined;
  /** Whether the task itself is streamed and part of the result. @defaultValue true */
  readonly outputTaskMessages?: boolean | undefined;
}

const runOptionNames: OptionNames<RunOptions> = {
  signal: true,
  task: true,
  outputTaskMessages: true,
};

/** Returns the options of a run; rejects unknown ones, and a task that is given in their place. */
export function knownRunOptions(options: RunOptions): RunOptions {
  if (typeof options === 'string') throw new ValueError('run: give the task as { task }.');
  const { signal } = knownOptions('run', options, runOptionNames, {
    cancellation_token: "give an AbortSignal as 'signal'",
    cancellationToken: "give an AbortSignal as 'signal'",
  });
  if (signal && typeof signal.addEventListener !== 'function') {
    throw invalidOption('signal', 'an AbortSignal', signal);
  }
  return options;
}

/** An agent or a team: something that runs a task. */
export interface TaskRunner {
  run(options?: RunOptions): Promise<TaskResult>;
  /** Yields items, then exactly one {@link TaskResult}. The run starts when the first item is requested. */
  runStream(options?: RunOptions): AsyncGenerator<ChatItem | TaskResult, void>;
}
