import { hasMethods, readOr } from '@teamfuse/adapter-kit';

/** The part of a language model that a guard needs, of any specification version. */
export interface GuardableModel {
  readonly modelId: string;
  doGenerate(params: ModelParams): PromiseLike<ModelAnswer>;
  doStream(params: ModelParams): PromiseLike<ModelStreamAnswer>;
}

/** What a model is called with. `headers` is one object for all steps of a run. */
export interface ModelParams {
  readonly prompt: readonly PromptMessage[];
  readonly maxOutputTokens?: number | undefined;
  readonly abortSignal?: AbortSignal | undefined;
  readonly headers?: object | undefined;
}

/** A message of a prompt. */
export interface PromptMessage {
  readonly role: string;
  readonly content: string | readonly object[];
}

/** A part of an answer, whole or streamed. */
export interface AnswerPart {
  readonly type: string;
  readonly text?: unknown;
  readonly delta?: unknown;
  readonly toolCallId?: unknown;
  readonly usage?: object | undefined;
}

/** A whole answer of a model. */
export interface ModelAnswer {
  readonly content: readonly AnswerPart[];
  readonly usage: object;
}

/** An answer that is streamed. */
export interface ModelStreamAnswer {
  readonly stream: ReadableStream<AnswerPart>;
}

/** The options that a tool is executed with. */
export interface ToolCallOptions {
  readonly toolCallId: string;
  readonly abortSignal?: AbortSignal | undefined;
}

/** A tool, as far as a guard needs it. One without `execute` runs elsewhere. */
export interface GuardableTool {
  execute?(input: unknown, options: ToolCallOptions): unknown;
}

/** The tools of a call by their names. */
export type GuardableTools = Readonly<Record<string, GuardableTool>>;

/** An agent of the AI SDK: a `ToolLoopAgent`. */
export interface GuardableAgent {
  readonly version: string;
  readonly id: string | undefined;
  generate(options: AgentCallOptions): PromiseLike<object>;
  stream(options: AgentCallOptions): PromiseLike<object>;
}

/** What one call of an agent is given. */
export interface AgentCallOptions {
  readonly prompt?: unknown;
  readonly abortSignal?: AbortSignal | undefined;
  readonly experimental_transform?: unknown;
}

/** The settings of an agent, and of each call once it is prepared. */
export interface CallSettings {
  readonly model?: unknown;
  readonly tools?: GuardableTools | undefined;
  readonly stopWhen?: StopCondition | readonly StopCondition[] | undefined;
  readonly prepareStep?: ((step: object) => unknown) | undefined;
}

/** A condition that ends a run between two steps. */
export type StopCondition = (given: {
  readonly steps: readonly object[];
}) => boolean | PromiseLike<boolean>;

/** Whether a value is a language model. */
export function isModel(value: unknown): value is GuardableModel {
  return hasMethods(value, 'doGenerate', 'doStream');
}

/** Whether a value is an object of tools, and of nothing else. */
export function isToolSet(value: unknown): value is GuardableTools {
  if (typeof value !== 'object' || value === null) return false;
  const isTool = (one: unknown): boolean => Object.hasOwn(Object(one), 'inputSchema');
  return readOr(false, () => {
    const tools = Object.values(value);
    return tools.length > 0 && tools.every(isTool);
  });
}

/** Whether a value is an agent with settings that a guard can prepare. */
export function isAgent(value: unknown): value is GuardableAgent {
  return hasMethods(value, 'generate', 'stream') && settingsOf(value) !== undefined;
}

/** The settings of an agent, which it declares as private. */
export function settingsOf(agent: object): CallSettings | undefined {
  const settings: unknown = Reflect.get(agent, 'settings');
  return typeof settings === 'object' && settings !== null && 'model' in settings
    ? settings
    : undefined;
}
