import type { ToolSchema } from '@teamfuse/models';
import type { ChatItem } from '../messages/chat-item.ts';

/** What a tool learns about the call besides its arguments. */
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
  /** What the model is told about the tool. */
  readonly schema: ToolSchema;
  /** Checks the arguments, then does the work. */
  runJson(args: unknown, options?: ToolCallOptions): Promise<unknown>;
  /** The text the model gets for a value {@link BaseTool.runJson} gave. */
  returnValueAsString(value: unknown): string;
}

/** A tool that tells what happens inside it while it runs. */
export interface StreamTool extends BaseTool {
  /** Yields what happens inside, and returns what {@link BaseTool.runJson} would give. */
  runJsonStream(args: unknown, options?: ToolCallOptions): AsyncGenerator<ChatItem, unknown>;
}
