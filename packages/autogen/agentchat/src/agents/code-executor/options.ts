import type { CodeExecutor } from '@teamfuse/code-executors';
import type { ChatCompletionClient } from '@teamfuse/models';
import type { OptionNames } from '@teamfuse/python-compat';
import type { ChatCompletionContext } from '../../model-context/chat-completion-context.ts';
import type { ApprovalFunc } from './approval.ts';

/** Options of a {@link CodeExecutorAgent}. */
export interface CodeExecutorAgentOptions {
  readonly codeExecutor: CodeExecutor;
  /** The model that writes the code. Without one the agent runs the code of others. */
  readonly modelClient?: ChatCompletionClient | undefined;
  /**
   * The model's context; unused without a model.
   * @defaultValue an UnboundedChatCompletionContext
   */
  readonly modelContext?: ChatCompletionContext | undefined;
  /**
   * Whether to stream the model's answers as chunks.
   * @defaultValue false
   */
  readonly modelClientStream?: boolean | undefined;
  /**
   * Limit for the corrections of failed code. Needs a model with structured output.
   * @defaultValue 0
   */
  readonly maxRetriesOnError?: number | undefined;
  readonly description?: string | undefined;
  /**
   * System message of the model; `null` sends none.
   * @defaultValue asks for labelled code blocks, and for plain words once the output is enough to answer
   */
  readonly systemMessage?: string | null | undefined;
  /**
   * Sources whose messages are searched for code; unused with a model.
   * @defaultValue all sources
   */
  readonly sources?: readonly string[] | undefined;
  /**
   * Labels of the code blocks that are run, in any case.
   * @defaultValue ['python', 'sh']
   */
  readonly supportedLanguages?: readonly string[] | undefined;
  /** Approves code before it runs. Without it all code runs. */
  readonly approvalFunc?: ApprovalFunc | undefined;
}

/** The names of {@link CodeExecutorAgentOptions}. */
export const codeExecutorOptionNames: OptionNames<CodeExecutorAgentOptions> = {
  codeExecutor: true,
  modelClient: true,
  modelContext: true,
  modelClientStream: true,
  maxRetriesOnError: true,
  description: true,
  systemMessage: true,
  sources: true,
  supportedLanguages: true,
  approvalFunc: true,
};
