import type { FunctionCall, LLMMessage } from './messages.ts';

/** Tokens of one request, or the sum over many. */
export interface RequestUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Those of the prompt's tokens that the provider read from its own cache, at a lower price. */
  readonly cachedPromptTokens?: number;
}

/** Why a model stopped writing. */
export type FinishReason = 'stop' | 'length' | 'function_calls' | 'content_filter' | 'unknown';

/** The result of one model call. */
export interface CreateResult {
  readonly finishReason: FinishReason;
  readonly content: string | readonly FunctionCall[];
  /** 0/0 means that the provider reported nothing, or nothing that can be a count of tokens: treat it as unknown, not as free. */
  readonly usage: RequestUsage;
  /** Whether the answer came from a cache, so that nothing was spent. */
  readonly cached: boolean;
  readonly thought?: string | null;
}

/** A function offered to the model; `parameters` is a JSON schema. */
export interface ToolSchema {
  readonly name: string;
  readonly description?: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly strict?: boolean;
}

/** A JSON schema the answer has to follow. */
export interface JsonOutputSchema {
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** Options of one model call. */
export interface CreateOptions {
  /** @defaultValue [] */
  readonly tools?: readonly ToolSchema[];
  /**
   * `auto` lets the model choose, `required` asks for some tool, `none` forbids tools, `{ name }` asks for that one.
   * @defaultValue 'auto'
   */
  readonly toolChoice?: 'auto' | 'required' | 'none' | { readonly name: string };
  /** `true` asks for any JSON object, a schema for one that follows it. */
  readonly jsonOutput?: boolean | JsonOutputSchema;
  /** Further fields of the request, passed through as they are. */
  readonly extraCreateArgs?: Readonly<Record<string, unknown>>;
  readonly signal?: AbortSignal;
}

/** What a model can do. */
export interface ModelInfo {
  readonly vision: boolean;
  readonly functionCalling: boolean;
  readonly jsonOutput: boolean;
  readonly structuredOutput: boolean;
  /** AutoGen's family name, such as `gpt-4o`; `unknown` when there is none. */
  readonly family: string;
  readonly multipleSystemMessages?: boolean;
}

/**
 * A model behind one interface: over HTTP, scripted, or a user's own.
 *
 * The members are those of `autogen_core.models.ChatCompletionClient`.
 */
export interface ChatCompletionClient {
  /** The model's name as prices are listed under it. */
  readonly model: string;
  readonly modelInfo: ModelInfo;
  create(messages: readonly LLMMessage[], options?: CreateOptions): Promise<CreateResult>;
  /** Yields text as it comes, then the {@link CreateResult}. */
  createStream(
    messages: readonly LLMMessage[],
    options?: CreateOptions,
  ): AsyncIterable<string | CreateResult>;
  /** Usage of calls that reached the model. */
  actualUsage(): RequestUsage;
  /** Usage of all calls, cached ones included. */
  totalUsage(): RequestUsage;
  /** A client that asks another model over the same connection, in the same way, and counts its own usage. */
  withModel?(model: string): ChatCompletionClient;
  /** Closes the client: later calls are refused. Idempotent. */
  close?(): Promise<void>;
}
