/**
 * Any agent with a chain of reply functions, whatever package it comes from.
 *
 * That much is needed. What else an agent offers is used where it is there: taps, `removeReplyFunc`, `replyFuncList`,
 * `registerHook`; the manual says what is seen of an agent without them.
 */
export interface GuardableAgent {
  readonly name: string;
  registerReply(trigger: never, replyFunc: never, options?: never): unknown;
}
