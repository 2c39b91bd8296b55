import { hasMethods } from '@teamfuse/adapter-kit';

/** A compiled graph of LangGraph, as far as a guard needs it. */
export interface GuardableGraph {
  readonly name?: string | undefined;
  readonly nodes: object;
  stream(input: unknown, config?: RunConfig): Promise<ReadableStream>;
  invoke(input: unknown, config?: RunConfig): Promise<unknown>;
}

/** An agent of `createAgent`. Its work is that of its graph. */
export interface GuardableAgent {
  readonly options: { readonly name?: string | undefined; readonly model?: unknown };
  readonly graph: GuardableGraph;
}

/** What one run is given. */
export interface RunConfig {
  readonly signal?: AbortSignal | undefined;
  readonly callbacks?: unknown;
  readonly configurable?: Readonly<Record<string, unknown>> | undefined;
}

/** A chat model, as far as a judge needs it. */
export interface AskableModel {
  invoke(
    messages: readonly (readonly [string, string])[],
    options: { readonly signal: AbortSignal },
  ): Promise<Message>;
}

/** A message of LangChain. */
export interface Message {
  readonly content: unknown;
  readonly type?: string | undefined;
  readonly text?: unknown;
  readonly status?: unknown;
  readonly tool_calls?: readonly ToolCall[] | undefined;
  /** The call that a result answers. */
  readonly tool_call_id?: unknown;
  readonly usage_metadata?: object | undefined;
}

/** A call of a tool that an answer asks for. */
export interface ToolCall {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly args?: unknown;
}

/** What is known of a step in a callback. */
export interface Metadata {
  readonly langgraph_node?: unknown;
  readonly ls_model_name?: unknown;
  readonly ls_max_tokens?: unknown;
}

/** How LangChain writes an object down. */
export interface Written {
  readonly id?: readonly string[];
  readonly kwargs?: object;
}

/** What a model answered to one call, or to several. */
export interface ModelResult {
  readonly generations: readonly (readonly {
    readonly text?: string;
    readonly message?: Message;
  }[])[];
  readonly llmOutput?: object;
}

/** What all hooks of a run are given. */
export interface Runtime {
  /** One function for all hooks of a run. */
  readonly writer?: object;
  readonly configurable?: Readonly<Record<string, unknown>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A model call that a middleware may wrap. */
export interface ModelRequest {
  readonly model: object;
  readonly messages: readonly object[];
  readonly systemPrompt?: string | undefined;
  readonly runtime: Runtime;
}

/** A tool call that a middleware may wrap. */
export interface ToolRequest {
  readonly toolCall: {
    readonly name: string;
    readonly args: object;
    readonly id?: string | undefined;
  };
  readonly runtime: Runtime;
}

/** Whether a value is a compiled graph. */
export function isGraph(value: unknown): value is GuardableGraph {
  return (
    hasMethods(value, 'stream', 'invoke', 'getGraphAsync') &&
    typeof Reflect.get(value, 'nodes') === 'object'
  );
}

/** Whether a value is an agent of `createAgent`. */
export function isAgent(value: unknown): value is GuardableAgent {
  return (
    hasMethods(value, 'stream', 'invoke') &&
    typeof Reflect.get(value, 'options') === 'object' &&
    isGraph(Reflect.get(value, 'graph'))
  );
}

/** Whether a value is a chat model that can be asked. */
export function isAskable(value: unknown): value is AskableModel {
  return hasMethods(value, 'invoke');
}
