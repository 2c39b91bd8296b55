import type { ChatCompletionClient } from '@teamfuse/models';
import type { OptionNames } from '@teamfuse/python-compat';
import type { Memory } from '../../memory/memory.ts';
import type { ChatCompletionContext } from '../../model-context/chat-completion-context.ts';
import type { BaseTool } from '../../tools/tool.ts';
import type { Workbench } from '../../tools/workbench.ts';
import type { HandoffOptions } from '../handoff.ts';
import type { OutputContentType } from './output-content.ts';
import type { SummaryFormatter } from './summary-formatter.ts';

/** Options of an {@link AssistantAgent}. */
export interface AssistantAgentOptions {
  readonly modelClient: ChatCompletionClient;
  /** Tools the model may call, and functions without arguments. Not together with `workbench`. */
  readonly tools?: readonly (BaseTool | (() => unknown))[] | undefined;
  /** Sets of tools that keep state or change while they are used. Not together with `tools`. */
  readonly workbench?: Workbench | readonly Workbench[] | undefined;
  /**
   * Agents the model may hand off to, by name.
   * @defaultValue []
   */
  readonly handoffs?: readonly (string | HandoffOptions)[] | undefined;
  /** @defaultValue an UnboundedChatCompletionContext */
  readonly modelContext?: ChatCompletionContext | undefined;
  /** @defaultValue 'An agent that provides assistance with ability to use tools.' */
  readonly description?: string | undefined;
  /**
   * System message of the model; `null` sends none.
   * @defaultValue asks for help with the task, and for the word TERMINATE once it is done
   */
  readonly systemMessage?: string | null | undefined;
  /**
   * Whether to stream the model's answers as chunks.
   * @defaultValue false
   */
  readonly modelClientStream?: boolean | undefined;
  /**
   * Whether the model sums up the last tool results, with one more call.
   * @defaultValue true with an `outputContentType`, else false
   */
  readonly reflectOnToolUse?: boolean | undefined;
  /**
   * Limit for the rounds of tools in one turn. At least 1.
   * @defaultValue 1
   */
  readonly maxToolIterations?: number | undefined;
  /**
   * Text for a tool call when the model does not reflect.
   *
   * The fields are `{tool_name}`, `{arguments}`, `{result}` and `{is_error}`.
   * @defaultValue '\{result\}'
   */
  readonly toolCallSummaryFormat?: string | undefined;
  /** Makes the text for a tool call instead of `toolCallSummaryFormat`; cannot be dumped. */
  readonly toolCallSummaryFormatter?: SummaryFormatter | undefined;
  /** Kind of data the agent answers with instead of text. */
  readonly outputContentType?: OutputContentType | undefined;
  /**
   * Format of the data for people, for example `{title}: {score}`; `null` shows JSON.
   * @defaultValue null
   */
  readonly outputContentTypeFormat?: string | null | undefined;
  /** @defaultValue [] */
  readonly memory?: readonly Memory[] | undefined;
  /**
   * Stored with the agent and part of its dump.
   * @defaultValue \{\}
   */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

/** The names of {@link AssistantAgentOptions}. */
export const assistantOptionNames: OptionNames<AssistantAgentOptions> = {
  modelClient: true,
  tools: true,
  workbench: true,
  handoffs: true,
  modelContext: true,
  description: true,
  systemMessage: true,
  modelClientStream: true,
  reflectOnToolUse: true,
  maxToolIterations: true,
  toolCallSummaryFormat: true,
  toolCallSummaryFormatter: true,
  outputContentType: true,
  outputContentTypeFormat: true,
  memory: true,
  metadata: true,
};
