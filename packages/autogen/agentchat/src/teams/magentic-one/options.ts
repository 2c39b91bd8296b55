import type { ChatCompletionClient } from '@teamfuse/models';
import type { OptionNames } from '@teamfuse/python-compat';
import { type GroupChatOptions, groupChatOptionNames } from '../group-chat-options.ts';

/** Options of {@link MagenticOneGroupChat}. */
export interface MagenticOneGroupChatOptions extends Omit<GroupChatOptions, 'maxTurns'> {
  /** The model that plans the work and judges the progress before every step. */
  readonly modelClient: ChatCompletionClient;
  /**
   * Limit for the rounds before the final answer; one more round than this runs. `null` sets no limit.
   * @defaultValue 20
   */
  readonly maxTurns?: number | null | undefined;
  /**
   * Rounds without progress, minus rounds with progress, that lead to a new plan.
   * @defaultValue 3
   */
  readonly maxStalls?: number | undefined;
  /**
   * Prompt for the final answer.
   * @defaultValue asks for an answer to the task
   */
  readonly finalAnswerPrompt?: string | undefined;
}

/** The names of {@link MagenticOneGroupChatOptions}. */
export const magenticOneOptionNames: OptionNames<MagenticOneGroupChatOptions> = {
  ...groupChatOptionNames,
  modelClient: true,
  maxStalls: true,
  finalAnswerPrompt: true,
};

/** Settings the orchestrator uses, read at every use so that a guard's replacement takes effect at once. */
export interface MagenticOneParts {
  readonly modelClient: ChatCompletionClient;
  readonly maxStalls: number;
  /** Returns the prompt for the final answer. */
  finalAnswerText(task: string): string;
}
