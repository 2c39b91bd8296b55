import { hasMethods } from '../install/read-or.ts';

/** The part of a language model that a guard needs, of any specification version. */
export interface GuardableModel {
  readonly modelId: string;
  readonly specificationVersion?: string;
  doGenerate(params: ModelParams): PromiseLike<ModelAnswer>;
  doStream(params: ModelParams): PromiseLike<ModelStreamAnswer>;
}

/** What a model is called with. `headers` is one object for all steps of a run. */
export interface ModelParams {
  readonly prompt: readonly PromptMessage[];
  readonly maxOutputTokens?: number | undefined;
  readonly tools?: unknown;
  readonly toolChoice?: unknown;
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
  readonly id?: unknown;
  readonly text?: unknown;
  readonly delta?: unknown;
  readonly toolCallId?: unknown;
  readonly toolName?: unknown;
  /** The arguments of a call, as JSON in a text. */
  readonly input?: unknown;
  readonly usage?: object | undefined;
  readonly providerMetadata?: object;
}

/** A whole answer of a model. */
export interface ModelAnswer {
  readonly content: readonly AnswerPart[];
  readonly usage: object;
  readonly providerMetadata?: object;
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

/** Whether a value is a language model. */
export function isModel(value: unknown): value is GuardableModel {
  return hasMethods(value, 'doGenerate', 'doStream');
}
