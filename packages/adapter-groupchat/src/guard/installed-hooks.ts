import { GuardInstallError } from '@teamfuse/core';
import {
  type AgentTap,
  type AgentView,
  type GuardReply,
  isTapped,
  type ViewedMessage,
} from '../context/agent-view.ts';
import type { ViewedOutgoing } from '../untapped/untapped-speech.ts';
import { isInFront, keepInFront, putInFront, removeReply } from './position.ts';

/** The hooks of a guard for one agent. */
export interface AgentHooks {
  readonly reply: GuardReply;
  readonly tap: AgentTap;
  /** Adds warnings to the messages that the agent is about to reply to. */
  readonly beforeReply: (messages: ViewedMessage[]) => ViewedMessage[];
  /** Receives the messages of an agent without taps. */
  readonly beforeSend: (outgoing: ViewedOutgoing) => string | ViewedMessage;
}

/** The hooks of a guard on one agent. */
export class InstalledHooks {
  readonly agent: AgentView;
  readonly hooks: AgentHooks;
  #undo: (() => void)[] = [];

  /** @throws {@link GuardInstallError} when the agent does not take them, with nothing installed. */
  constructor(agent: AgentView, hooks: AgentHooks) {
    this.agent = agent;
    this.hooks = hooks;
    try {
      this.#install();
    } catch (cause) {
      this.remove();
      if (cause instanceof GuardInstallError) throw cause;
      throw new GuardInstallError(agent.name, 'an agent that takes reply functions', { cause });
    }
  }

  /** Whether the reply function stands in front, as far as the chain can be read. */
  get isInFront(): boolean {
    return isInFront(this.agent, this.hooks.reply);
  }

  /** Whether the chain can be read and the reply function is not in it. */
  get isMissing(): boolean {
    const { replyFuncList } = this.agent;
    return replyFuncList?.every(({ replyFunc }) => replyFunc !== this.hooks.reply) ?? false;
  }

  /** Moves the reply function to the front of the chain. */
  keepInFront(): void {
    keepInFront(this.agent, this.hooks.reply);
  }

  /** Removes all hooks. Idempotent. */
  remove(): void {
    for (const undo of this.#undo.reverse()) undo();
    this.#undo = [];
  }

  #install(): void {
    const { agent, hooks } = this;
    this.#undo.push(() => removeReply(agent, hooks.reply));
    putInFront(agent, hooks.reply);
    if (!this.isInFront) {
      throw new GuardInstallError(agent.name, 'registerReply to put a function at position 0');
    }
    if (isTapped(agent)) this.#undo.push(agent.taps.add(hooks.tap));
    else this.#hook('processMessageBeforeSend', hooks.beforeSend);
    this.#hook('processAllMessagesBeforeReply', hooks.beforeReply);
  }

  #hook(method: string, hook: unknown): void {
    const { agent } = this;
    if (!agent.registerHook) return;
    agent.registerHook(method, hook);
    this.#undo.push(() => agent.removeHook?.(method, hook));
  }
}
