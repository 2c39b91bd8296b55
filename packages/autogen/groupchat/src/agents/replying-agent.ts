import { ReplyChain } from '../replies/reply-chain.ts';
import type {
  RegisterReplyOptions,
  ReplyEntryOf,
  ReplyFunctionOf,
} from '../replies/reply-function.ts';
import type { Trigger } from '../replies/trigger.ts';
import { AgentMemory } from './agent-memory.ts';
import { type HookMethodsOf, MessageHooks } from './message-hooks.ts';

/** An agent that replies through a chain of functions and runs hooks on its messages. */
export abstract class ReplyingAgent<TAgent> extends AgentMemory {
  protected readonly replies: ReplyChain<TAgent> = new ReplyChain();
  protected readonly hooks: MessageHooks<TAgent> = new MessageHooks();

  /** The live reply chain, including the reserved places. */
  get replyFuncList(): readonly ReplyEntryOf<TAgent>[] {
    return this.replies.entries;
  }

  /** Puts a reply function into the chain; the latest registration comes first. */
  registerReply<Config = unknown>(
    trigger: Trigger,
    replyFunc: ReplyFunctionOf<TAgent, Config>,
    options?: RegisterReplyOptions<Config>,
  ): void {
    this.replies.register(trigger, replyFunc, options);
  }

  /** Replaces a reply function in all its entries. */
  replaceReplyFunc(old: ReplyFunctionOf<TAgent>, replacement: ReplyFunctionOf<TAgent>): void {
    this.replies.replace(old, replacement);
  }

  /** Removes all entries of a reply function. */
  removeReplyFunc(replyFunc: ReplyFunctionOf<TAgent>): void {
    this.replies.remove(replyFunc);
  }

  /** Adds a hook; see {@link HookMethodsOf}. */
  registerHook<M extends keyof HookMethodsOf<TAgent>>(
    method: M,
    hook: HookMethodsOf<TAgent>[M],
  ): void {
    this.hooks.register(method, hook);
  }

  /** Removes a hook. */
  removeHook<M extends keyof HookMethodsOf<TAgent>>(
    method: M,
    hook: HookMethodsOf<TAgent>[M],
  ): void {
    this.hooks.remove(method, hook);
  }
}
