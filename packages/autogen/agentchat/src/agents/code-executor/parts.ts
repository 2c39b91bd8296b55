import type { CodeExecutor } from '@teamfuse/code-executors';
import type { ChatCompletionClient } from '@teamfuse/models';
import type { ChatCompletionContext } from '../../model-context/chat-completion-context.ts';
import type { ApprovalFunc } from './approval.ts';

/** The parts of the agent that a turn uses, read at every use so that a guard's replacement takes effect at once. */
export interface CodeExecutorParts {
  readonly name: string;
  readonly codeExecutor: CodeExecutor;
  readonly modelClient: ChatCompletionClient | undefined;
  readonly modelContext: ChatCompletionContext;
  /** `null` sends none. */
  readonly systemMessage: string | null;
  readonly modelClientStream: boolean;
  readonly maxRetriesOnError: number;
  readonly supportedLanguages: readonly string[];
  /** `undefined` reads the messages of all sources. */
  readonly sources: readonly string[] | undefined;
  readonly approvalFunc: ApprovalFunc | undefined;
}
