import type { OptionNames } from '@teamfuse/python-compat';
import type { ConversableAgent } from '../agents/conversable-agent.ts';
import type { Agent } from '../messages/agent.ts';
import type { ChatMessage, Reply } from '../messages/message.ts';
import type { Trigger } from './trigger.ts';

/** Whether the reply is final, and the reply; after `[false, null]` the next function is called. */
export type ReplyResult = readonly [final: boolean, reply: Reply];

/**
 * One link of an agent's reply chain.
 *
 * `messages` is the live history, or the list that was passed in; later links see changes to it.
 */
export type ReplyFunction<Config = unknown> = (
  recipient: ConversableAgent,
  messages: ChatMessage[] | null,
  sender: Agent | null,
  config: Config,
) => ReplyResult | Promise<ReplyResult>;

/** Options of {@link ConversableAgent.registerReply}. */
export interface RegisterReplyOptions<Config = unknown> {
  /**
   * Where the function is put, as `splice` counts: 0 is first, -1 before the last.
   *
   * Every built-in function of AutoGen except code execution takes two places, the first of which
   * is never called; positions in ported code therefore keep their meaning.
   * @defaultValue 0
   */
  readonly position?: number;
  /** Passed to the function; a plain object or array is copied at registration. */
  readonly config?: Config;
  /** Called by `agent.reset()` with the live config; without it a reset copies the given one again. */
  readonly resetConfig?: ((config: Config) => void) | undefined;
  /**
   * Has no effect: every chat here may await. Accepted so that ported calls need no change.
   * @defaultValue false
   */
  readonly ignoreAsyncInSyncChat?: boolean;
  /**
   * Empties the chain first, guards included.
   * @defaultValue false
   */
  readonly removeOtherReplyFuncs?: boolean;
}

/** The options of a registration. */
export const registerReplyNames: OptionNames<RegisterReplyOptions> = {
  position: true,
  config: true,
  resetConfig: true,
  ignoreAsyncInSyncChat: true,
  removeOtherReplyFuncs: true,
};

/** A link as it stands in the chain. */
export interface ReplyEntry {
  readonly trigger: Trigger;
  replyFunc: ReplyFunction;
  config: unknown;
  readonly initConfig: unknown;
  readonly resetConfig: ((config: never) => void) | undefined;
}
