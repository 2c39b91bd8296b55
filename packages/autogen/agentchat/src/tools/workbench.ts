import type { ToolSchema } from '@teamfuse/models';
import { isRefusal } from '@teamfuse/python-compat';
import { CancelledError } from '../base/errors.ts';
import type { ChatItem } from '../messages/chat-item.ts';
import type { ToolArguments, ToolCallOptions } from './tool.ts';

/** The result of a call to a {@link Workbench}. */
export interface ToolResult {
  readonly name: string;
  readonly content: string;
  readonly isError: boolean;
}

/** A set of tools that may share state and may change while it is used. */
export interface Workbench {
  /** The tools available now; called before every model call. */
  listTools(): Promise<readonly ToolSchema[]>;
  /** Calls a tool. Errors of the tool become a result with `isError`. */
  callTool(name: string, args: ToolArguments, options?: ToolCallOptions): Promise<ToolResult>;
  /** Like {@link Workbench.callTool}, and yields the items of the tool's stream. */
  callToolStream?(
    name: string,
    args: ToolArguments,
    options?: ToolCallOptions,
  ): AsyncGenerator<ChatItem, ToolResult>;
}

/**
 * Converts an error of a tool into a result for the model.
 *
 * @throws a guard's refusal unchanged, and {@link CancelledError} once the turn is cancelled.
 */
export function failure(name: string, error: unknown, signal?: AbortSignal): ToolResult {
  if (isRefusal(error)) throw error;
  if (signal?.aborted === true) throw new CancelledError({ cause: error });
  const text = error instanceof Error ? error.message : String(error);
  return { name, content: text.trim(), isError: true };
}
