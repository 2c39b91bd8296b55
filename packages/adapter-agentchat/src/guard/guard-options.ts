import { type Finding, InvalidOptionError, type TokenCounter } from '@teamfuse/core';
import { type ErrorHandler, showWarning } from '../observer.ts';
import type { ModelKnowledge } from '../signals/usage-signal.ts';

/** Options of {@link guardTeam}. */
export interface GuardOptions extends ModelKnowledge {
  /**
   * Counts prompts before they are sent.
   * @defaultValue the breaker's own estimate by the length of the texts
   */
  readonly counter?: TokenCounter;
  /**
   * What the team is told when a finding is worth a warning.
   * @defaultValue the finding's reason and a request to bring something new or to finish
   */
  readonly nudge?: (finding: Finding) => string;
  /**
   * Called when the guard or the breaker fails; the team goes on.
   * @defaultValue shows a warning of the process
   */
  readonly onError?: ErrorHandler;
}

/** {@link GuardOptions} with nothing left open. */
export interface CheckedOptions extends ModelKnowledge {
  readonly counter: TokenCounter | undefined;
  readonly nudge: (finding: Finding) => string;
  readonly onError: ErrorHandler;
}

/** Checks options and fills the defaults in. */
export function checkOptions({
  models,
  prices,
  counter,
  nudge = defaultNudge,
  onError = showWarning,
}: GuardOptions): CheckedOptions {
  if (prices !== undefined && typeof prices?.price !== 'function') {
    throw new InvalidOptionError('prices', 'an object with a method price', prices);
  }
  if (counter !== undefined && typeof counter?.countMessages !== 'function') {
    throw new InvalidOptionError('counter', 'an object with a method countMessages', counter);
  }
  if (typeof nudge !== 'function') throw new InvalidOptionError('nudge', 'a function', nudge);
  if (typeof onError !== 'function') throw new InvalidOptionError('onError', 'a function', onError);
  return {
    ...(models !== undefined && { models }),
    ...(prices !== undefined && { prices }),
    counter,
    nudge,
    onError,
  };
}

function defaultNudge({ reason }: Finding): string {
  return `Notice: ${reason}. Do not repeat what has been said or tried. Bring something new, or say that the task is finished or cannot be finished.`;
}
