/**
 * Any agent with a chain of reply functions, whatever package it comes from.
 *
 * Only that much is needed. Everything else an agent offers is used: taps, `removeReplyFunc`, `replyFuncList`,
 * `registerHook`; the README says what is seen of an agent without them.
 */
export interface GuardableAgent {
  readonly name: string;
  registerReply(trigger: never, replyFunc: never, options?: never): unknown;
}

/** Whether a value is an agent with a chain of reply functions. */
export function isGuardableAgent(value: unknown): value is GuardableAgent {
  try {
    return typeof (value as Partial<GuardableAgent> | null)?.registerReply === 'function';
  } catch {
    return false;
  }
}
