import { ReplyChain } from '../replies/reply-chain.ts';
import type {
  RegisterReplyOptions,
  ReplyEntryOf,
  ReplyFunctionOf,
} from '../replies/reply-function.ts';
import type { Trigger } from '../replies/trigger.ts';
import { AgentMemory } from './agent-memory.ts';
import { type HookMethodsOf, MessageHooks } from './message-hooks.ts';

/** An agent whose replies come out of a chain of functions, past hooks; both can be added to. */
export abstract class ReplyingAgent<TAgent> extends AgentMemory {
  protected readonly replies: ReplyChain<TAgent> = new ReplyChain();
  protected readonly hooks: MessageHooks<TAgent> = new MessageHooks();

  /** The reply chain as it stands, the reserved places included. */
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

  /** Exchanges every entry of one reply function for another. */
  replaceReplyFunc(old: ReplyFunctionOf<TAgent>, replacement: ReplyFunctionOf<TAgent>): void {
    this.replies.replace(old, replacement);
  }

  /** Takes a reply function out of the chain again. */
  removeReplyFunc(replyFunc: ReplyFunctionOf<TAgent>): void {
    this.replies.remove(replyFunc);
  }

  /** Adds a hook; see {@link HookMethodsOf} for what is called when. */
  registerHook<M extends keyof HookMethodsOf<TAgent>>(
    method: M,
    hook: HookMethodsOf<TAgent>[M],
  ): void {
    this.hooks.register(method, hook);
  }

  /** Takes a hook off again. */
  removeHook<M extends keyof HookMethodsOf<TAgent>>(
    method: M,
    hook: HookMethodsOf<TAgent>[M],
  ): void {
    this.hooks.remove(method, hook);
  }
}
