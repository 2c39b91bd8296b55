import type { ToolSchema } from '@teamfuse/models';
import type { ChatItem } from '../messages/chat-item.ts';

/** Information about a tool call besides its arguments. */
export interface ToolCallOptions {
  /** Aborted when the turn is cancelled. */
  readonly signal?: AbortSignal | undefined;
  /** The id the model gave to the call. */
  readonly callId?: string | undefined;
}

/** Arguments of a tool call, as read from the model's JSON. */
export type ToolArguments = Readonly<Record<string, unknown>>;

/** Something a model can call. */
export interface BaseTool {
  readonly name: string;
  readonly description: string;
  /** The tool's schema for the model. */
  readonly schema: ToolSchema;
  /** Checks the arguments, then executes the call. */
  runJson(args: unknown, options?: ToolCallOptions): Promise<unknown>;
  /** Converts a result of {@link BaseTool.runJson} into the text for the model. */
  returnValueAsString(value: unknown): string;
}

/** A tool that streams items while it runs. */
export interface StreamTool extends BaseTool {
  /** Yields the items of the call, and returns the result of {@link BaseTool.runJson}. */
  runJsonStream(args: unknown, options?: ToolCallOptions): AsyncGenerator<ChatItem, unknown>;
}
