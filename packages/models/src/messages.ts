/** A function the model asks to be called; `arguments` is the JSON text the model wrote. */
export interface FunctionCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** The result of one {@link FunctionCall}. */
export interface FunctionExecutionResult {
  readonly content: string;
  readonly name: string;
  readonly callId: string;
  readonly isError?: boolean | null;
}

/** An image in a message, as base64 text. */
export interface ImagePart {
  readonly data: string;
  /** @defaultValue 'image/png' */
  readonly mimeType?: string;
}

/** Instructions for the model. */
export interface SystemMessage {
  readonly type: 'SystemMessage';
  readonly content: string;
  /** Who speaks, where the conversation names its system voices (AutoGen 0.2 speaker selection does). */
  readonly name?: string;
}

/** A message by anyone but the answering agent. */
export interface UserMessage {
  readonly type: 'UserMessage';
  readonly content: string | readonly (string | ImagePart)[];
  readonly source: string;
}

/** A message by the answering agent, or the functions it asked for. */
export interface AssistantMessage {
  readonly type: 'AssistantMessage';
  readonly content: string | readonly FunctionCall[];
  /** Reasoning text, or the words that came along with function calls. */
  readonly thought?: string | null;
  readonly source: string;
}

/** The results of the functions the last {@link AssistantMessage} asked for. */
export interface FunctionExecutionResultMessage {
  readonly type: 'FunctionExecutionResultMessage';
  readonly content: readonly FunctionExecutionResult[];
}

/** A message as a model client takes it; the names are those of `autogen_core.models`. */
export type LLMMessage =
  | SystemMessage
  | UserMessage
  | AssistantMessage
  | FunctionExecutionResultMessage;
