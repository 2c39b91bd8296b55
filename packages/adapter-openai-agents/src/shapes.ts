import { hasMethods, readOr } from '@teamfuse/adapter-kit';

/** A runner of the OpenAI Agents SDK, as far as a guard needs it. */
export interface GuardableRunner {
  readonly config: RunnerConfig;
  run: RunFunction;
  on(event: 'agent_start', listener: StartListener): unknown;
  on(event: 'agent_handoff', listener: HandoffListener): unknown;
  off(event: 'agent_start', listener: StartListener): unknown;
  off(event: 'agent_handoff', listener: HandoffListener): unknown;
}

/** Hears that an agent has its turn. */
export type StartListener = (context: unknown, agent: RunnableAgent) => void;

/** Hears of a hand-off. */
export type HandoffListener = (context: unknown, from: RunnableAgent, to: RunnableAgent) => void;

/** What a runner asks its models by. */
export interface RunnerConfig {
  readonly model?: unknown;
  readonly modelProvider: GuardableProvider;
}

/** Finds models by their names. */
export interface GuardableProvider {
  getModel(name?: string): PromiseLike<GuardableModel> | GuardableModel;
}

/** The member of a runner that runs an agent. */
export type RunFunction = (agent: never, input: never, options?: never) => PromiseLike<object>;

/** The class of runners. */
export interface RunnerClass {
  readonly prototype: object;
}

/** An agent of the OpenAI Agents SDK. */
export interface RunnableAgent {
  readonly name: string;
  readonly model?: unknown;
  readonly tools?: readonly object[] | undefined;
  getAllTools(...args: readonly unknown[]): PromiseLike<readonly object[]>;
}

/** What one run is given. */
export interface RunOptions {
  readonly signal?: AbortSignal | undefined;
  readonly stream?: boolean | undefined;
}

/** A result that is streamed. */
export interface StreamedResult {
  readonly completed: PromiseLike<void>;
  readonly cancelled?: boolean;
}

/** The part of a model that a guard needs. */
export interface GuardableModel {
  getResponse(request: ModelRequest): Promise<ModelResponse>;
  getStreamedResponse(request: ModelRequest): AsyncIterable<StreamEvent>;
}

/** What a model is asked. */
export interface ModelRequest {
  readonly systemInstructions?: string | undefined;
  readonly input: string | readonly Item[];
  readonly modelSettings: {
    readonly maxTokens?: number | undefined;
    readonly toolChoice?: unknown;
    readonly parallelToolCalls?: unknown;
  };
  readonly outputType: unknown;
  readonly tools?: readonly { readonly type?: string; readonly name?: string }[] | undefined;
  readonly handoffs?: readonly object[];
  readonly signal?: AbortSignal | undefined;
}

/** A part of a history. */
export interface Item {
  readonly type?: string | undefined;
  readonly role?: unknown;
  readonly content?: unknown;
  readonly name?: unknown;
  readonly arguments?: unknown;
  readonly callId?: unknown;
  readonly output?: unknown;
}

/** A whole answer. Its id has another name where it was streamed. */
export interface ModelResponse {
  readonly responseId?: string | undefined;
  readonly id?: string | undefined;
  readonly usage: ModelUsage;
  readonly providerData?: object | undefined;
  readonly output: readonly Item[];
}

/** The usage of a call. */
export interface ModelUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly inputTokensDetails?:
    | readonly Readonly<Record<string, number>>[]
    | Readonly<Record<string, number>>
    | undefined;
}

/** A part of a streamed answer. */
export interface StreamEvent {
  readonly type: string;
  readonly delta?: unknown;
  readonly response?: ModelResponse;
}

/** A tool that is a function. Others are run by the provider of the model. */
export interface FunctionTool {
  readonly type: 'function';
  readonly name: string;
  readonly outputSchema?: unknown;
  invoke(context: unknown, input: string, details?: ToolDetails): Promise<unknown>;
}

/** What a tool is told about a call. */
export interface ToolDetails {
  readonly toolCall?: { readonly callId?: string } | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Whether a value is a runner. */
export function isRunner(value: unknown): value is GuardableRunner {
  return readOr(false, () => {
    const { config } = Object(value) as { readonly config?: unknown };
    const { modelProvider } = Object(config) as Partial<RunnerConfig>;
    return hasMethods(value, 'run', 'on', 'off') && hasMethods(modelProvider, 'getModel');
  });
}

/** Whether a value is a model object, and not the name of one. */
export function isModel(value: unknown): value is GuardableModel {
  return hasMethods(value, 'getResponse', 'getStreamedResponse');
}

/** Whether a tool is a function. */
export function isFunctionTool(tool: object): tool is FunctionTool {
  return Reflect.get(tool, 'type') === 'function' && hasMethods(tool, 'invoke');
}
