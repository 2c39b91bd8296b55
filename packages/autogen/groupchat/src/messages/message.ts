/** A text part of a message with several parts. */
export interface TextPart {
  readonly type: 'text';
  readonly text: string;
}

/** A picture in a message, as an address or a data URL. */
export interface ImageUrlPart {
  readonly type: 'image_url';
  readonly image_url: { readonly url: string; readonly detail?: string };
}

/** One piece of a message with several parts. */
export type ContentPart = TextPart | ImageUrlPart;

/** Values that a templated or computed content is filled with. */
export type MessageContext = Readonly<Record<string, unknown>>;

/** The content of a message; a function is called with the message's `context` before a model call. */
export type MessageContent = string | ContentPart[] | ((context: MessageContext) => string);

/** A function call in the form models used before tools. */
export interface FunctionCallRequest {
  name?: string;
  /** JSON text as the model wrote it. */
  arguments?: string;
}

/** A tool call in the form OpenAI sends it. */
export interface ToolCallRequest {
  id?: string;
  type?: string;
  function: FunctionCallRequest;
}

/** The result of one tool or function call. */
export interface ToolResponse {
  tool_call_id?: string;
  role: 'tool' | 'function';
  name?: string;
  content: string;
}

/**
 * A message as AutoGen 0.2 stores and sends it; the keys are those of the wire.
 *
 * Other keys are dropped when a message is stored.
 */
export interface ChatMessage {
  role?: string;
  /** The author; filled in when the message is stored. */
  name?: string;
  content?: MessageContent | null;
  function_call?: FunctionCallRequest | null;
  tool_calls?: ToolCallRequest[] | null;
  tool_responses?: ToolResponse[] | null;
  tool_call_id?: string | null;
  context?: MessageContext | null;
  /** A role to store the message under in place of `user` or `assistant`. */
  override_role?: string | null;
}

/** The reply of an agent: text, a message, or `null` for no reply, which ends the exchange. */
export type Reply = string | ChatMessage | null;
