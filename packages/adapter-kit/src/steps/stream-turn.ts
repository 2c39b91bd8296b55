import type { GuardContext } from '../context/guard-context.ts';
import { passOn } from '../context/passed-stream.ts';
import type { StreamWithResult } from '../context/stream-with-result.ts';
import { streamStep } from './stream-step.ts';
import { type TurnInfo, turnStep } from './take-turn.ts';

/** A turn of an agent that streams what it says. */
export interface TurnStream<T, L> extends TurnInfo<T, L> {
  readonly open: () => StreamWithResult<T, void>;
  /** Whether the turn ends with an item, before its reader has it. @defaultValue it ends with the stream */
  readonly isLast?: (item: T) => boolean;
}

/**
 * Takes a turn that streams: asks for it, hands on what comes, and reports the messages in it.
 *
 * @throws TrippedError when the turn, or a step inside, is refused.
 */
export function streamTurn<T, L>(
  context: GuardContext<L>,
  turn: TurnStream<T, L>,
): AsyncGenerator<T, void> {
  const { open, said, isLast, agent } = turn;
  const say = (item: T): void => {
    const text = said?.(item);
    if (text === undefined || !context.isActive) return;
    context.observe({ kind: 'message', ...context.originOf(agent), text });
  };
  const heard = turn.heard ?? (said && say);
  return passOn(context, () => {
    if (!context.isActive) return { open };
    const { request, scope } = turnStep(context, turn);
    const working = context.isRehearsal ? () => once(turn.rehearsed) : open;
    return streamStep(context, request, working, { scope, heard, isLast });
  });
}

async function* once<T>(item: T): AsyncGenerator<T, void> {
  yield item;
}
