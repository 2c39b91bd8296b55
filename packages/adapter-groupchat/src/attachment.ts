import { GuardInstallError } from '@teamfuse/core';
import type { AgentTap, AgentView, GuardReply, ViewedMessage } from './agent-view.ts';
import { anySender, keepInFront } from './reply-guard.ts';
import type { ViewedOutgoing } from './untapped-speech.ts';

/** What a guard puts on one agent. */
export interface AgentFittings {
  readonly replyGuard: GuardReply;
  readonly tap: AgentTap;
  /** Adds nudges to what the agent is about to reply to. */
  readonly beforeReply: (messages: ViewedMessage[]) => ViewedMessage[];
  /** Hears what an agent without taps says. */
  readonly beforeSend: (outgoing: ViewedOutgoing) => string | ViewedMessage;
}

/** One agent with the guard's fittings on it. */
export class Attachment {
  readonly agent: AgentView;
  readonly fittings: AgentFittings;
  #undo: (() => void)[] = [];

  /** @throws {@link GuardInstallError} when the agent does not take them; nothing is left on it then. */
  constructor(agent: AgentView, fittings: AgentFittings) {
    this.agent = agent;
    this.fittings = fittings;
    try {
      this.#attach();
    } catch (cause) {
      this.detach();
      if (cause instanceof GuardInstallError) throw cause;
      throw new GuardInstallError(agent.name, 'an agent that takes reply functions', { cause });
    }
  }

  /** Sees to it that the reply function is the first in the chain. */
  keepInFront(): void {
    keepInFront(this.agent, this.fittings.replyGuard);
  }

  /** Takes everything off again. */
  detach(): void {
    for (const undo of this.#undo.reverse()) undo();
    this.#undo = [];
  }

  #attach(): void {
    const { agent, fittings } = this;
    const { replyGuard, tap, beforeReply, beforeSend } = fittings;
    this.#undo.push(() => removeReply(agent, replyGuard));
    agent.registerReply(anySender, replyGuard, { position: 0 });
    if (agent.replyFuncList && agent.replyFuncList[0]?.replyFunc !== replyGuard) {
      throw new GuardInstallError(agent.name, 'registerReply to put a function at position 0');
    }
    if (agent.taps) this.#undo.push(agent.taps.add(tap));
    else this.#hook('processMessageBeforeSend', beforeSend);
    this.#hook('processAllMessagesBeforeReply', beforeReply);
  }

  #hook(method: string, hook: unknown): void {
    const { agent } = this;
    if (!agent.registerHook) return;
    agent.registerHook(method, hook);
    this.#undo.push(() => agent.removeHook?.(method, hook));
  }
}

/** Takes a reply function out, by hand where the agent cannot do it itself. */
function removeReply(agent: AgentView, replyGuard: GuardReply): void {
  if (agent.removeReplyFunc) {
    agent.removeReplyFunc(replyGuard);
    return;
  }
  const { replyFuncList } = agent;
  if (!Array.isArray(replyFuncList) || Object.isFrozen(replyFuncList)) return;
  const at = replyFuncList.findIndex(({ replyFunc }) => replyFunc === replyGuard);
  if (at >= 0) replyFuncList.splice(at, 1);
}
