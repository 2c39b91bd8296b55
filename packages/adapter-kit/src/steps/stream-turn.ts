import type { GuardContext } from '../context/guard-context.ts';
import { streamStep } from './stream-step.ts';
import { type TurnInfo, turnStep } from './take-turn.ts';

/** A turn of an agent that streams what it says. */
export interface TurnStream<T, L> extends TurnInfo<L> {
  readonly open: () => AsyncIterable<T, void>;
  /** The text that an item says as a whole; `undefined` for pieces, and for what is reported as something else. */
  readonly said: (item: T) => string | undefined;
  /** Whether the turn ends with an item, before its reader has it. @defaultValue it ends with the stream */
  readonly isLast?: (item: T) => boolean;
  /** The only item of the turn while the guard tests itself, always the same. */
  readonly rehearsed: T;
}

/**
 * Takes a turn that streams: asks for it, hands on what comes, and reports the messages in it.
 *
 * @throws TrippedError when the turn, or a step inside, is refused.
 */
export async function* streamTurn<T, L>(
  context: GuardContext<L>,
  { open, said, isLast, rehearsed, ...info }: TurnStream<T, L>,
): AsyncGenerator<T, void> {
  if (!context.isActive) return yield* open();
  const { request, scope } = turnStep(context, info);
  const working = context.isRehearsal ? () => once(rehearsed) : open;
  const heard = (item: T): void => {
    const text = context.attempt('observe', () => said(item));
    if (text === undefined || !context.isActive) return;
    context.observe({ kind: 'message', ...context.originOf(info.agent), text });
  };
  yield* streamStep(context, request, working, { scope, heard, isLast });
}

async function* once<T>(item: T): AsyncGenerator<T, void> {
  yield item;
}
