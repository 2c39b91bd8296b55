import type { ChatCompletionClient } from '@teamfuse/models';
import type { Memory } from '../../memory/memory.ts';
import type { ChatCompletionContext } from '../../model-context/chat-completion-context.ts';
import type { Workbench } from '../../tools/workbench.ts';
import type { Handoff } from '../handoff.ts';
import type { OutputContent } from './output-content.ts';
import type { SummaryFormatter } from './summary-formatter.ts';

/** What a turn needs of its agent. Read at every use, so that a guard put in between is met at once. */
export interface AssistantParts {
  readonly name: string;
  readonly modelClient: ChatCompletionClient;
  readonly workbench: readonly Workbench[];
  readonly modelContext: ChatCompletionContext;
  readonly memory: readonly Memory[];
  readonly handoffs: readonly Handoff[];
  /** `null` sends none. */
  readonly systemMessage: string | null;
  readonly modelClientStream: boolean;
  readonly reflectOnToolUse: boolean;
  readonly maxToolIterations: number;
  readonly toolCallSummaryFormat: string;
  readonly toolCallSummaryFormatter: SummaryFormatter | undefined;
  /** `undefined` when the agent answers in plain text. */
  readonly outputContent: OutputContent | undefined;
  /** How people read the data; `null` shows JSON. */
  readonly outputContentTypeFormat: string | null;
}
