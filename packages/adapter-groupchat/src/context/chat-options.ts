import type { GuardOptions as CommonOptions } from '@teamfuse/adapter-kit';
import { estimateTokens, InvalidOptionError, type TokenCounter } from '@teamfuse/core';

/**
 * What the team sees of a trip: `terminate` nothing, `reply` a message that says why, `throw` an error that ends the
 * call of `initiateChat`.
 */
export type TripMode = 'terminate' | 'reply' | 'throw';

/** What the declared limits count: one outermost chat, or all chats of a conversation of the breaker. */
export type LimitScope = 'run' | 'breaker';

/** Options of {@link guardAgents}. A price in an agent's own configuration comes before `prices`. */
export interface GuardOptions
  extends Pick<CommonOptions, 'prices' | 'counter' | 'nudge' | 'onError'> {
  /**
   * How the team is stopped. In every mode, nothing begins any more until the outermost chat has ended.
   * @defaultValue 'terminate'
   */
  readonly onTrip?: TripMode;
  /**
   * Whether `maxMessages`, `maxTurns` and `maxRunMs` restart with each outermost chat, or count on over chats one after
   * another, such as those of one `initiateChats`.
   * @defaultValue 'run'
   */
  readonly scope?: LimitScope;
}

const MODES: readonly unknown[] = ['terminate', 'reply', 'throw'];
const SCOPES: readonly unknown[] = ['run', 'breaker'];

/** Counts by the length of the texts. */
const LENGTH_COUNTER: TokenCounter = {
  countMessages: (messages) =>
    messages.reduce((sum, { content }) => sum + estimateTokens(content), 0),
};

/** The options of this adapter, checked, and those of the kit. */
export interface ChatOptions {
  readonly onTrip: TripMode;
  readonly limits: LimitScope;
  readonly common: CommonOptions;
}

/** @throws {@link InvalidOptionError} naming the option, the expected and the received value. */
export function checkChatOptions({
  onTrip = 'terminate',
  scope = 'run',
  counter = LENGTH_COUNTER,
  ...common
}: GuardOptions): ChatOptions {
  if (!MODES.includes(onTrip)) throw new InvalidOptionError('onTrip', MODES.join(', '), onTrip);
  if (!SCOPES.includes(scope)) throw new InvalidOptionError('scope', SCOPES.join(', '), scope);
  return { onTrip, limits: scope, common: { ...common, counter } };
}
