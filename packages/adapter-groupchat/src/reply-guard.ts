import type { Breaker } from '@teamfuse/core';
import type { AgentView, GuardReply } from './agent-view.ts';

/** Marks the reply functions of guards with the breaker they ask; copies of the package share it. */
const GUARD_MARK: unique symbol = Symbol.for('teamfuse.guard');

type MarkedReply = GuardReply & { readonly [GUARD_MARK]: Breaker };

/** Accepts every sender, and none. */
export const anySender: readonly unknown[] = [(): boolean => true, null];

/** The reply function that stands in front of all others and lets a turn go on, or settles it. */
export function replyGuard(breaker: Breaker, decide: GuardReply): MarkedReply {
  // A function of its own for each agent: reply chains tell their links apart by identity.
  const guardTurn: GuardReply = (recipient, messages, sender) =>
    decide(recipient, messages, sender);
  return Object.assign(guardTurn, { [GUARD_MARK]: breaker });
}

/** Whether a breaker guards this agent already, as far as its chain can be read. */
export function isGuardedBy({ replyFuncList = [] }: AgentView, breaker: Breaker): boolean {
  return replyFuncList.some(
    ({ replyFunc }) => (replyFunc as Partial<MarkedReply> | null)?.[GUARD_MARK] === breaker,
  );
}

/** Puts the guard back in front if something was registered before it, or emptied the chain. */
export function keepInFront(agent: AgentView, guard: GuardReply): void {
  const { replyFuncList } = agent;
  if (!replyFuncList || replyFuncList[0]?.replyFunc === guard) return;
  if (replyFuncList.some(({ replyFunc }) => replyFunc === guard)) {
    if (!agent.removeReplyFunc) return;
    agent.removeReplyFunc(guard);
  }
  agent.registerReply(anySender, guard, { position: 0 });
}
