import type { ChatItem, RunOptions, TaskResult, TaskRunner } from '@teamfuse/agentchat';
import type { Scope } from '../guard/scope.ts';
import type { Watch } from '../guard/watch.ts';
import { NestedChat } from './nested-chat.ts';
import { OutermostRun } from './outermost-run.ts';

/** Who is put to work. */
export interface Runner extends TaskRunner {
  readonly name: string;
}

/** The work of a team, or of an agent by itself, on one task. */
export interface Conversation {
  /** Where the work takes place. */
  readonly scope: Scope;
  /** Takes in what the stream shows. With the result the work is over. */
  hear(item: ChatItem | TaskResult): void;
  /** Says that the work is over. Harmless when said twice. */
  end(): void;
}

/**
 * Begins the work: the outermost, or a nested chat inside of other work, which has to ask for leave.
 *
 * @throws TrippedError when a nested chat is refused.
 */
export async function startConversation(
  watch: Watch,
  runner: Runner,
  options: RunOptions,
): Promise<Conversation> {
  const around = watch.scope;
  return around === undefined
    ? new OutermostRun(watch, runner, options)
    : NestedChat.begin(watch, runner, options, around);
}
