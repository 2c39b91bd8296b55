import type { ChatCompletionClient } from '@teamfuse/models';
import type { GroupChatOptions } from '../group-chat-options.ts';

/** Options of {@link MagenticOneGroupChat}. */
export interface MagenticOneGroupChatOptions extends Omit<GroupChatOptions, 'maxTurns'> {
  /** Plans the work, and judges where it stands before every step. */
  readonly modelClient: ChatCompletionClient;
  /**
   * Most rounds until the final answer is asked for; one more than this happens. `null` sets no limit.
   * @defaultValue 20
   */
  readonly maxTurns?: number | null | undefined;
  /**
   * How many rounds without progress, less those with, lead to a new plan.
   * @defaultValue 3
   */
  readonly maxStalls?: number | undefined;
  /**
   * What the model is asked when the work is over.
   * @defaultValue asks for an answer to the task
   */
  readonly finalAnswerPrompt?: string | undefined;
}

/** What the orchestrator needs of its team. Read at every use, so that a guard put in between is met at once. */
export interface MagenticOneParts {
  readonly modelClient: ChatCompletionClient;
  readonly maxStalls: number;
  /** What the model is asked when the work on the task is over. */
  finalAnswerText(task: string): string;
}
