import type { CodeExecutor } from '@teamfuse/code-executors';
import type { ChatCompletionClient } from '@teamfuse/models';
import type { ChatCompletionContext } from '../../model-context/chat-completion-context.ts';
import type { ApprovalFunc } from './approval.ts';

/** Options of a {@link CodeExecutorAgent}. */
export interface CodeExecutorAgentOptions {
  readonly codeExecutor: CodeExecutor;
  /** Has the agent write code itself. Without one it runs the code of others. */
  readonly modelClient?: ChatCompletionClient | undefined;
  /**
   * What the model has seen; not used without a model.
   * @defaultValue an UnboundedChatCompletionContext
   */
  readonly modelContext?: ChatCompletionContext | undefined;
  /**
   * Whether to stream the model's answers as chunks.
   * @defaultValue false
   */
  readonly modelClientStream?: boolean | undefined;
  /**
   * How often the model may correct code that failed. Needs a model with structured output.
   * @defaultValue 0
   */
  readonly maxRetriesOnError?: number | undefined;
  readonly description?: string | undefined;
  /**
   * What the model is told before anything else; `null` tells it nothing.
   * @defaultValue asks for labelled code blocks, and for plain words once the output is enough to answer
   */
  readonly systemMessage?: string | null | undefined;
  /**
   * Whose messages are searched for code; not used with a model.
   * @defaultValue everybody's
   */
  readonly sources?: readonly string[] | undefined;
  /**
   * Labels of the code blocks that are run, in any case.
   * @defaultValue ['python', 'sh']
   */
  readonly supportedLanguages?: readonly string[] | undefined;
  /** Asked before any code runs. Without one all code runs. */
  readonly approvalFunc?: ApprovalFunc | undefined;
}
