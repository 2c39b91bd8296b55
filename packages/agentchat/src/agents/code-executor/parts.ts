import type { CodeExecutor } from '@teamfuse/code-executors';
import type { ChatCompletionClient } from '@teamfuse/models';
import type { ChatCompletionContext } from '../../model-context/chat-completion-context.ts';
import type { ApprovalFunc } from './approval.ts';

/** What a turn needs of its agent. Read at every use, so that a guard put in between is met at once. */
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
  /** `undefined` reads everybody's messages. */
  readonly sources: readonly string[] | undefined;
  readonly approvalFunc: ApprovalFunc | undefined;
}
