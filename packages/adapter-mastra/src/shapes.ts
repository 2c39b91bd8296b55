import { hasMethods } from '@teamfuse/adapter-kit';
import type { GuardableModel, GuardableTools } from '@teamfuse/adapter-kit/language-models';

/** An agent of Mastra. */
export interface GuardableAgent {
  readonly id: string;
  readonly name: string;
  generate(messages: unknown, options?: AgentCallOptions): PromiseLike<object>;
  stream(messages: unknown, options?: AgentCallOptions): PromiseLike<object>;
  getModel(options?: object): unknown;
  getDefaultOptions(options?: object): unknown;
  getDefaultNetworkOptions?(options?: object): unknown;
  /** Its sub-agents, by name. */
  listAgents?(options?: object): unknown;
}

/** What one call of an agent is given. */
export interface AgentCallOptions {
  readonly abortSignal?: AbortSignal | undefined;
  readonly requestContext?: unknown;
  readonly prepareStep?: Prepare | undefined;
  readonly onFinish?: Listener | undefined;
  readonly onError?: Listener | undefined;
  readonly onAbort?: Listener | undefined;
}

/** Options of one call of `network()` or `resumeNetwork()`. */
export interface NetworkOptions {
  readonly abortSignal?: AbortSignal | undefined;
  readonly requestContext?: unknown;
  /** The model of its router, in place of that of the agent. */
  readonly model?: unknown;
  readonly onIterationComplete?: ((event: { readonly result: unknown }) => unknown) | undefined;
}

/** Is called before each model call, and may change what it is made with. */
export type Prepare = (
  step: Step,
) => PreparedStep | undefined | PromiseLike<PreparedStep | undefined>;

type Listener = (event: never) => unknown;

/** What a step may be made with instead. */
export interface PreparedStep {
  readonly model?: unknown;
  readonly tools?: GuardableTools | undefined;
}

/** A step that is about to begin. */
export interface Step {
  readonly model: GuardableModel;
  readonly tools?: GuardableTools | undefined;
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly systemMessages?: readonly { readonly content: unknown }[] | undefined;
  readonly modelSettings?: { readonly maxOutputTokens?: number | undefined } | undefined;
  readonly abortSignal?: AbortSignal | undefined;
  /** Ends the run with what it has; the result tells the reason as its `tripwire`. */
  abort(reason: string, options: { readonly metadata: object }): never;
}

/** Whether a value is an agent whose steps a guard can prepare. */
export function isAgent(value: unknown): value is GuardableAgent {
  return hasMethods(value, 'generate', 'stream', 'getModel', 'getDefaultOptions');
}
