import type { StreamWithResult } from '../../src/context/stream-with-result.ts';
import * as kit from '../../src/index.ts';

/** The signal that work gets. */
type Given = AbortSignal | undefined;
type Working<T> = { readonly work: (signal: Given) => T | Promise<T> };
type Opening<T, R> = {
  readonly open: (signal: Given) => StreamWithResult<T, R>;
  readonly isLast?: (item: T) => boolean;
};

/** Each kind of step with its work in one object. */
export const takeTurn = <T, L>(
  context: kit.GuardContext<L>,
  { work, ...info }: kit.TurnInfo<T, L> & Working<T>,
): Promise<T> => kit.call(context, kit.turn(info), work);

export const callModel = <T, L>(
  context: kit.GuardContext<L>,
  { work, ...info }: kit.ModelInfo<T> & Working<T>,
): Promise<T> => kit.call(context, kit.modelCall<T, L>(info), work);

export const callTool = <T, L>(
  context: kit.GuardContext<L>,
  { work, ...info }: kit.ToolInfo<T> & Working<T>,
): Promise<T> => kit.call(context, kit.toolCall<T, L>(info), work);

export const runCode = <T, L>(
  context: kit.GuardContext<L>,
  { work, ...info }: kit.CodeInfo<T> & Working<T>,
): Promise<T> => kit.call(context, kit.codeRun<T, L>(info), work);

export const runNested = <T, L>(
  context: kit.GuardContext<L>,
  { work, ...info }: kit.NestedInfo<T, L> & Working<T>,
): Promise<T> => kit.call(context, kit.nestedRun<T, L>(info), work);

export const beginTool = <T, L>(
  context: kit.GuardContext<L>,
  info: kit.ToolInfo<T>,
): Promise<kit.BegunStep<T, L>> => kit.begin(context, kit.toolCall<T, L>(info));

export const streamTurn = <T, L>(
  context: kit.GuardContext<L>,
  { open, isLast, ...info }: kit.TurnInfo<T, L> & Opening<T, void>,
): AsyncGenerator<T, void> => kit.stream(context, kit.turn<T, L>(info), open, { isLast });

export const streamModel = <T, R, L>(
  context: kit.GuardContext<L>,
  { open, ...info }: kit.ModelInfo<T> & Opening<T, R>,
): AsyncGenerator<T, R> => kit.stream(context, kit.modelCall<T, L, R>(info), open);

export const streamTool = <T, R, L>(
  context: kit.GuardContext<L>,
  { open, ...info }: kit.ToolInfo<R> & Opening<T, R>,
): AsyncGenerator<T, R> => kit.stream(context, kit.toolCall<R, L, T>(info), open);
