import {
  type Finding,
  InvalidOptionError,
  type PriceBook,
  type TokenCounter,
} from '@teamfuse/core';

/**
 * What the team sees of a trip: `terminate` nothing, `reply` a message that says why, `throw` an error that ends the
 * call of `initiateChat`.
 */
export type TripMode = 'terminate' | 'reply' | 'throw';

/** What the declared limits count: one outermost chat, or all chats of the breaker. */
export type LimitScope = 'run' | 'breaker';

/** What a guard was doing when something failed; `breaker` is what the breaker itself tells as its `error`. */
export type GuardActivity = 'observe' | 'admit' | 'warn' | 'breaker';

/** Something failed inside the guard or the breaker; the team goes on. */
export interface GuardProblem {
  readonly during: GuardActivity;
  readonly error: unknown;
}

/** Options of {@link install}. */
export interface GuardOptions {
  /**
   * How the team is stopped. Whatever is chosen, nothing begins any more until the outermost chat has ended.
   * @defaultValue 'terminate'
   */
  readonly onTrip?: TripMode;
  /**
   * Whether `maxMessages`, `maxTurns` and `maxRunMs` start afresh with each outermost chat, or count on over all of
   * them, such as over the chats of one `initiateChats`.
   * @defaultValue 'run'
   */
  readonly scope?: LimitScope;
  /** Prices of model calls, where the agents' own configuration names none. Without a price the cost is unknown. */
  readonly prices?: PriceBook;
  /**
   * Counts prompts before they are sent.
   * @defaultValue an estimate by the length of the texts
   */
  readonly counter?: TokenCounter;
  /**
   * What an agent is told when a finding is worth a warning.
   * @defaultValue the finding's reason and a request to bring something new or to finish
   */
  readonly nudge?: (finding: Finding) => string;
  /**
   * Called when the guard or the breaker fails, or a listener or detector of the breaker. The team goes on.
   * @defaultValue shown as a warning of the process
   */
  readonly onError?: (problem: GuardProblem) => void;
}

const MODES: readonly unknown[] = ['terminate', 'reply', 'throw'];
const SCOPES: readonly unknown[] = ['run', 'breaker'];

/** Checks options and fills the defaults in. */
export function checkOptions({
  onTrip = 'terminate',
  scope = 'run',
  nudge = defaultNudge,
  onError = showWarning,
  prices,
  counter,
}: GuardOptions): CheckedOptions {
  if (!MODES.includes(onTrip)) throw new InvalidOptionError('onTrip', MODES.join(', '), onTrip);
  if (!SCOPES.includes(scope)) throw new InvalidOptionError('scope', SCOPES.join(', '), scope);
  if (typeof nudge !== 'function') throw new InvalidOptionError('nudge', 'a function', nudge);
  if (typeof onError !== 'function') throw new InvalidOptionError('onError', 'a function', onError);
  if (prices && typeof prices.price !== 'function') {
    throw new InvalidOptionError('prices', 'an object with a method price', prices);
  }
  if (counter && typeof counter.countMessages !== 'function') {
    throw new InvalidOptionError('counter', 'an object with a method countMessages', counter);
  }
  return { onTrip, scope, nudge, onError, prices, counter };
}

/** {@link GuardOptions} with nothing left open. */
export type CheckedOptions = Required<Omit<GuardOptions, 'prices' | 'counter'>> & {
  readonly prices: PriceBook | undefined;
  readonly counter: TokenCounter | undefined;
};

function defaultNudge({ reason }: Finding): string {
  return `Notice: ${reason}. Do not repeat what has been said or tried. Bring something new, or say that the task is finished or cannot be finished.`;
}

function showWarning({ during, error }: GuardProblem): void {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const what = during === 'breaker' ? 'The breaker failed' : `The guard failed to ${during}`;
  process.emitWarning(`${what}. ${text}`, 'TeamfuseWarning');
}
