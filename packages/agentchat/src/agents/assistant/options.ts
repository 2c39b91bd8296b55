import type { ChatCompletionClient } from '@teamfuse/models';
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
  /** Tools the model may call. Not together with `workbench`. */
  readonly tools?: readonly BaseTool[] | undefined;
  /** Sets of tools that keep state or change while they are used. Not together with `tools`. */
  readonly workbench?: Workbench | readonly Workbench[] | undefined;
  /**
   * Agents the model may pass the conversation on to, by name.
   * @defaultValue []
   */
  readonly handoffs?: readonly (string | HandoffOptions)[] | undefined;
  /** @defaultValue an UnboundedChatCompletionContext */
  readonly modelContext?: ChatCompletionContext | undefined;
  /** @defaultValue 'An agent that provides assistance with ability to use tools.' */
  readonly description?: string | undefined;
  /**
   * What the model is told before anything else; `null` tells it nothing.
   * @defaultValue asks for help with the task, and for the word TERMINATE once it is done
   */
  readonly systemMessage?: string | null | undefined;
  /**
   * Whether to stream the model's answers as chunks.
   * @defaultValue false
   */
  readonly modelClientStream?: boolean | undefined;
  /**
   * Whether the model puts the results of the last tools into words, at the price of one more call.
   * @defaultValue true with an `outputContentType`, else false
   */
  readonly reflectOnToolUse?: boolean | undefined;
  /**
   * How many rounds of tools there may be in one turn. At least 1.
   * @defaultValue 1
   */
  readonly maxToolIterations?: number | undefined;
  /**
   * How a tool call is told when the model does not reflect; knows `{tool_name}`, `{arguments}`, `{result}` and `{is_error}`.
   * @defaultValue '\{result\}'
   */
  readonly toolCallSummaryFormat?: string | undefined;
  /** Puts a tool call into words in the place of `toolCallSummaryFormat`; cannot be dumped. */
  readonly toolCallSummaryFormatter?: SummaryFormatter | undefined;
  /** Has the agent answer with data of this kind instead of text. */
  readonly outputContentType?: OutputContentType | undefined;
  /**
   * How people read the data: `{title}: {score}`; `null` shows JSON.
   * @defaultValue null
   */
  readonly outputContentTypeFormat?: string | null | undefined;
  /** @defaultValue [] */
  readonly memory?: readonly Memory[] | undefined;
  /**
   * Kept with the agent and dumped with it.
   * @defaultValue \{\}
   */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}
