import type { ConversableAgent } from '../agents/conversable-agent.ts';
import { GroupChatError } from '../errors.ts';
import type { Agent } from '../messages/agent.ts';
import type { ChatMessage, Reply } from '../messages/message.ts';
import { knownOptions } from '../option-names.ts';
import {
  type RegisterReplyOptions,
  type ReplyEntry,
  type ReplyFunction,
  registerReplyNames,
} from './reply-function.ts';
import { checkTrigger, matchTrigger, type Trigger } from './trigger.ts';

/** The ordered reply functions of one agent. */
export class ReplyChain {
  readonly #entries: ReplyEntry[] = [];

  /** The links in the order they are tried, reserved places included. */
  get entries(): readonly ReplyEntry[] {
    return this.#entries;
  }

  /** Puts a reply function into the chain, by default in front of all others. */
  register<Config>(
    trigger: Trigger,
    replyFunc: ReplyFunction<Config>,
    options: RegisterReplyOptions<Config> = {},
  ): void {
    checkTrigger(trigger);
    knownOptions('registerReply', options, registerReplyNames);
    const { position = 0, config = null, resetConfig, removeOtherReplyFuncs = false } = options;
    if (removeOtherReplyFuncs) this.#entries.length = 0;
    this.#entries.splice(position, 0, {
      trigger,
      replyFunc: replyFunc as ReplyFunction,
      config: shallowCopy(config),
      initConfig: config,
      resetConfig: resetConfig as ReplyEntry['resetConfig'],
    });
  }

  /** Registers a function in front, and before it a reserved place for AutoGen's async version. */
  registerBuiltIn<Config>(
    trigger: Trigger,
    replyFunc: ReplyFunction<Config>,
    options?: RegisterReplyOptions<Config>,
  ): void {
    this.register(trigger, replyFunc, options);
    this.register([], reservedPlace);
  }

  /** Replaces a function in all its entries. */
  replace(old: ReplyFunction, replacement: ReplyFunction): void {
    for (const entry of this.#entries) if (entry.replyFunc === old) entry.replyFunc = replacement;
  }

  /** Removes all entries of a function. */
  remove(replyFunc: ReplyFunction): void {
    for (let at = this.#entries.length - 1; at >= 0; at -= 1) {
      if (this.#entries[at]?.replyFunc === replyFunc) this.#entries.splice(at, 1);
    }
  }

  /** Restores the initial config of every function. */
  reset(): void {
    for (const entry of this.#entries) {
      if (entry.resetConfig) entry.resetConfig(entry.config as never);
      else entry.config = shallowCopy(entry.initConfig);
    }
  }

  /** Calls the functions in order and returns the first final reply; `undefined` when there is none. */
  async run(
    agent: ConversableAgent,
    messages: ChatMessage[],
    sender: Agent | null,
    exclude: readonly unknown[],
  ): Promise<Reply | undefined> {
    // By index, because functions may register others while they run.
    for (let at = 0; at < this.#entries.length; at += 1) {
      const entry = this.#entries[at] as ReplyEntry;
      if (exclude.includes(entry.replyFunc)) continue;
      if (!matchTrigger(entry.trigger, sender)) continue;
      const result: unknown = await entry.replyFunc(agent, messages, sender, entry.config);
      const [final, reply] = checkResult(result, entry.replyFunc);
      agent.emit({ kind: 'reply', sender, replyFunc: entry.replyFunc, final, reply });
      if (final) return reply;
    }
    return undefined;
  }
}

/** The function of a reserved place; it is never called. */
export function reservedPlace(): readonly [boolean, Reply] {
  return [false, null];
}

function checkResult(
  result: unknown,
  { name }: { readonly name: string },
): readonly [boolean, Reply] {
  if (Array.isArray(result) && result.length === 2) return [Boolean(result[0]), result[1] ?? null];
  throw new GroupChatError(
    'INVALID_USE',
    `reply function ${name || '<anonymous>'} must return [final, reply], but returned ${typeof result}`,
  );
}

function shallowCopy(config: unknown): unknown {
  if (Array.isArray(config)) return [...config];
  if (typeof config !== 'object' || config === null) return config;
  return Object.getPrototypeOf(config) === Object.prototype ? { ...config } : config;
}
