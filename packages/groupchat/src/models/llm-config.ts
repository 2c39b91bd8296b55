import type { ChatCompletionClient, ToolSchema } from '@teamfuse/models';

/** The model of an agent, and the tools offered to it. */
export interface LlmConfig {
  readonly client: ChatCompletionClient;
  /** Tools the model may ask for. */
  readonly tools?: readonly ToolSchema[];
  /** Functions the model may ask for; a call of one is answered in the older `function_call` form. */
  readonly functions?: readonly ToolSchema[];
  /** Dollars per 1,000 tokens: of the prompt, of the completion. Without it costs are unknown. */
  readonly price?: readonly [promptUsd: number, completionUsd: number];
  /**
   * Fills `{key}` in string contents with the values of a message's `context`.
   * @defaultValue false
   */
  readonly allowFormatStrTemplate?: boolean;
  /** Further fields of every request, such as `temperature`. */
  readonly extraCreateArgs?: Readonly<Record<string, unknown>>;
}
