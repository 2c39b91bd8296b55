import type { GuardOptions as CommonOptions } from '@teamfuse/adapter-kit';
import { InvalidOptionError } from '@teamfuse/core';
import { checkNames, type OptionNames } from '@teamfuse/core/options';

/**
 * How a trip shows in the chat: `terminate` adds nothing, `reply` adds a message with the reason, `throw` makes
 * `initiateChat` fail with the error.
 */
export type TripMode = 'terminate' | 'reply' | 'throw';

/** The stretch that declared limits count over: one outermost chat, or all chats of a conversation. */
export type LimitScope = 'run' | 'breaker';

/** Options of {@link guardAgents}. A price in an agent's own configuration comes before `prices`. */
export interface GuardOptions extends CommonOptions {
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

const NAMES: OptionNames<GuardOptions> = {
  prices: true,
  models: true,
  isTaskFromPerson: true,
  history: true,
  judge: true,
  conversation: true,
  counter: true,
  nudge: true,
  cutLaps: true,
  onError: true,
  onTrip: true,
  scope: true,
};
const MODES: readonly unknown[] = ['terminate', 'reply', 'throw'];
const SCOPES: readonly unknown[] = ['run', 'breaker'];

/** The options of this adapter, checked, and those of the kit. */
export interface ChatOptions {
  readonly onTrip: TripMode;
  readonly limits: LimitScope;
  readonly common: CommonOptions;
}

/** @throws {@link InvalidOptionError} naming the option, the expected and the received value. */
export function checkChatOptions(options: GuardOptions): ChatOptions {
  checkNames('', options, NAMES);
  const { onTrip = 'terminate', scope = 'run', ...common } = options;
  if (!MODES.includes(onTrip)) throw new InvalidOptionError('onTrip', MODES.join(', '), onTrip);
  if (!SCOPES.includes(scope)) throw new InvalidOptionError('scope', SCOPES.join(', '), scope);
  return { onTrip, limits: scope, common };
}
