import type { ChatCompletionClient } from '@teamfuse/models';
import type { Memory } from '../../memory/memory.ts';
import type { ChatCompletionContext } from '../../model-context/chat-completion-context.ts';
import type { Workbench } from '../../tools/workbench.ts';
import type { Handoff } from '../handoff.ts';
import type { OutputContent } from './output-content.ts';
import type { SummaryFormatter } from './summary-formatter.ts';

/** The parts of the agent that a turn uses, read at every use so that a guard's replacement takes effect at once. */
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
  /** Format of the data for people; `null` shows JSON. */
  readonly outputContentTypeFormat: string | null;
}
