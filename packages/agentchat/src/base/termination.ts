import { typeText } from '@teamfuse/python-compat';
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
  const hint = typeof given === 'number' ? ' Combine conditions with when`…`, or() and and().' : '';
  throw new ValueError(
    `${what} must be a termination condition (terminated, call and reset), got ${typeText(given)}.${hint}`,
  );
}
