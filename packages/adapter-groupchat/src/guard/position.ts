import type { AgentView, GuardReply } from '../context/agent-view.ts';

/** Accepts every sender, and none. */
const ANY_SENDER: readonly unknown[] = [(): boolean => true, null];

/** Puts a guard's reply function in front of all others. */
export function putInFront(agent: AgentView, guard: GuardReply): void {
  agent.registerReply(ANY_SENDER, guard, { position: 0 });
}

/** Puts it back in front if something was registered before it, or the chain was emptied. */
export function keepInFront(agent: AgentView, guard: GuardReply): void {
  const { replyFuncList } = agent;
  if (!replyFuncList || isInFront(agent, guard)) return;
  if (replyFuncList.some(({ replyFunc }) => replyFunc === guard)) {
    if (!agent.removeReplyFunc) return;
    agent.removeReplyFunc(guard);
  }
  putInFront(agent, guard);
}

/** Whether only guards stand before it. Unreadable chains are trusted. */
export function isInFront({ replyFuncList }: AgentView, guard: GuardReply): boolean {
  if (!replyFuncList) return true;
  const at = replyFuncList.findIndex(({ replyFunc }) => replyFunc === guard);
  return at >= 0 && replyFuncList.slice(0, at).every(({ replyFunc }) => isGuard(replyFunc));
}

/** Removes it, by hand where the agent cannot do so itself. */
export function removeReply(agent: AgentView, guard: GuardReply): void {
  if (agent.removeReplyFunc) {
    agent.removeReplyFunc(guard);
    return;
  }
  const { replyFuncList } = agent;
  if (!Array.isArray(replyFuncList) || Object.isFrozen(replyFuncList)) return;
  const at = replyFuncList.findIndex(({ replyFunc }) => replyFunc === guard);
  if (at >= 0) replyFuncList.splice(at, 1);
}

/** Marks the reply functions of guards; copies of the package share it. */
const GUARD_MARK: unique symbol = Symbol.for('teamfuse.guard');

/** The reply function of a guard for one agent: chains tell their links apart by identity. */
export function guardReply(decide: GuardReply): GuardReply {
  const guardTurn: GuardReply = (recipient, messages, sender) =>
    decide(recipient, messages, sender);
  return Object.assign(guardTurn, { [GUARD_MARK]: true });
}

function isGuard(replyFunc: unknown): boolean {
  return (Object(replyFunc) as { readonly [GUARD_MARK]?: boolean })[GUARD_MARK] === true;
}
