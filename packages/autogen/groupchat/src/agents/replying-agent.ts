import { ReplyChain } from '../replies/reply-chain.ts';
import type { RegisterReplyOptions, ReplyEntry, ReplyFunction } from '../replies/reply-function.ts';
import type { Trigger } from '../replies/trigger.ts';
import { AgentMemory } from './agent-memory.ts';
import { type HookMethods, MessageHooks } from './message-hooks.ts';

/** An agent that replies through a chain of functions and runs hooks on its messages. */
export abstract class ReplyingAgent extends AgentMemory {
  protected readonly replies: ReplyChain = new ReplyChain();
  protected readonly hooks: MessageHooks = new MessageHooks();

  /** The live reply chain, including the reserved places. */
  get replyFuncList(): readonly ReplyEntry[] {
    return this.replies.entries;
  }

  /** Puts a reply function into the chain; the latest registration comes first. */
  registerReply<Config = unknown>(
    trigger: Trigger,
    replyFunc: ReplyFunction<Config>,
    options?: RegisterReplyOptions<Config>,
  ): void {
    this.replies.register(trigger, replyFunc, options);
  }

  /** Replaces a reply function in all its entries. */
  replaceReplyFunc(old: ReplyFunction, replacement: ReplyFunction): void {
    this.replies.replace(old, replacement);
  }

  /** Removes all entries of a reply function. */
  removeReplyFunc(replyFunc: ReplyFunction): void {
    this.replies.remove(replyFunc);
  }

  /** Adds a hook; see {@link HookMethods}. */
  registerHook<M extends keyof HookMethods>(method: M, hook: HookMethods[M]): void {
    this.hooks.register(method, hook);
  }

  /** Removes a hook. */
  removeHook<M extends keyof HookMethods>(method: M, hook: HookMethods[M]): void {
    this.hooks.remove(method, hook);
  }
}
