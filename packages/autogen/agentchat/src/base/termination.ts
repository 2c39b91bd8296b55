import { shown } from '@teamfuse/python-compat';
import type { StopMessage } from '../messages/chat/stop-message.ts';
import type { ChatItem } from '../messages/chat-item.ts';
import { ValueError } from './errors.ts';
import type { MaybePromise } from './maybe-promise.ts';

/** Decides when a conversation ends. Anything of this shape can be used as a condition and be combined. */
export interface Termination {
  /** Whether the condition has stopped the conversation and was not reset since. */
  readonly terminated: boolean;
  /** Judges what is new since the last call; gives a message with the reason to stop, or `null` to go on. */
  call(messages: readonly ChatItem[]): MaybePromise<StopMessage | null>;
  /** Back to the initial state. Teams do so after every orderly stop. */
  reset(): MaybePromise<void>;
}

/** What to write in place of `a | b` and `a & b`. */
export const NO_OPERATORS: string =
  'JavaScript has no operators for conditions: write a.or(b) and a.and(b), or(a, b) and and(a, b), or when`…`.';

/**
 * Checks that a value can be used as a condition; `what` names it in the message.
 *
 * @throws {@link ValueError} if it cannot.
 */
export function checkTermination(what: string, value: Termination): Termination {
  const given: unknown = value;
  if (
    typeof given === 'object' &&
    given !== null &&
    'terminated' in given &&
    'call' in given &&
    'reset' in given
  ) {
    return value;
  }
  // In JavaScript `a | b` is a number, whatever both are.
  const hint = typeof given === 'number' ? ` ${NO_OPERATORS}` : '';
  throw new ValueError(
    `${what} must be a termination condition (terminated, call and reset), received ${shown(given)}.${hint}`,
  );
}
