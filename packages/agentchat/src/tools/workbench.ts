import type { ToolSchema } from '@teamfuse/models';
import { CancelledError } from '../base/errors.ts';
import type { ChatItem } from '../messages/chat-item.ts';
import { isRefusal } from './refusal.ts';
import type { ToolArguments, ToolCallOptions } from './tool.ts';

/** What came of a call to a {@link Workbench}. */
export interface ToolResult {
  readonly name: string;
  readonly content: string;
  readonly isError: boolean;
}

/** A set of tools that may share state and may change while it is used. */
export interface Workbench {
  /** The tools on offer now. Asked before every model call. */
  listTools(): Promise<readonly ToolSchema[]>;
  /** Calls a tool. What goes wrong inside the tool is a result with `isError`, not an exception. */
  callTool(name: string, args: ToolArguments, options?: ToolCallOptions): Promise<ToolResult>;
  /** Like {@link Workbench.callTool}, and yields what happens inside the tool. */
  callToolStream?(
    name: string,
    args: ToolArguments,
    options?: ToolCallOptions,
  ): AsyncGenerator<ChatItem, ToolResult>;
}

/**
 * Turns what a tool threw into a result the model can read.
 *
 * @throws a guard's refusal as it is, and {@link CancelledError} once the turn is cancelled: neither is the tool's failure.
 */
export function failure(name: string, error: unknown, signal?: AbortSignal): ToolResult {
  if (isRefusal(error)) throw error;
  if (signal?.aborted === true) throw new CancelledError({ cause: error });
  const text = error instanceof Error ? error.message : String(error);
  return { name, content: text.trim(), isError: true };
}
