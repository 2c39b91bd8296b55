import { GroupChatError } from '../errors.ts';
import type { Agent } from '../messages/agent.ts';
import type { ChatMessage, MessageContent, Reply } from '../messages/message.ts';
import { knownOptions } from '../option-names.ts';
import {
  type RegisterReplyOptions,
  type ReplyFunctionOf,
  type ReplyResult,
  registerReplyNames,
} from '../replies/reply-function.ts';
import type { Happening, Step } from '../taps/happening.ts';
import type { StepWork } from '../taps/tap.ts';
import type { ChatResult } from './chat.ts';
import { type ChatInitiator, checkQueuedNames, type QueuedChatOf, runQueue } from './chat-queue.ts';

/** Computes the opening of a nested chat; a chat whose opening is `null` is skipped. */
export type NestedOpeningOf<TAgent> = (
  recipient: TAgent,
  messages: ChatMessage[],
  sender: Agent | null,
  config: unknown,
) => string | ChatMessage | null | Promise<string | ChatMessage | null>;

/** A chat that an agent has with others before it answers; the agent itself is the default sender. */
export type NestedChatOf<TAgent> = QueuedChatOf<TAgent, NestedOpeningOf<TAgent>>;

/** Makes a reply from nested chats, in place of the summary of the last one. */
export type NestedReplyFunctionOf<TAgent> = (
  chatQueue: readonly NestedChatOf<TAgent>[],
  recipient: TAgent,
  messages: ChatMessage[],
  sender: Agent | null,
  config: unknown,
) => ReplyResult | Promise<ReplyResult>;

/** Options of {@link ConversableAgent.registerNestedChats}. */
export interface RegisterNestedChatsOptionsOf<TAgent> extends RegisterReplyOptions {
  /** @defaultValue 'summary_from_nested_chats' */
  readonly replyFuncFromNestedChats?: 'summary_from_nested_chats' | NestedReplyFunctionOf<TAgent>;
  /** @defaultValue 2 (right after the termination check of an untouched agent) */
  readonly position?: number;
}

/** Returns the options of {@link ConversableAgent.registerNestedChats}; rejects unknown ones. */
export function knownNestedOptions<TAgent>(
  options: RegisterNestedChatsOptionsOf<TAgent>,
): RegisterNestedChatsOptionsOf<TAgent> {
  const names = { ...registerReplyNames, replyFuncFromNestedChats: true } as const;
  return knownOptions('registerNestedChats', options, names, {
    use_async: 'every chat here may await',
  });
}

/** The events of a triggered queue; `nesting` is one object per registration, `time` counts from 1. */
export type NestedHappening<TAgent> =
  | {
      readonly kind: 'nested-start';
      readonly nesting: object;
      readonly queue: readonly NestedChatOf<TAgent>[];
      readonly sender: Agent | null;
      readonly trigger: ChatMessage | null;
      readonly time: number;
    }
  | {
      readonly kind: 'nested-end';
      readonly nesting: object;
      readonly final: boolean;
      readonly reply: Reply;
      readonly error: unknown;
    };

/** The step of an agent that is about to run its nested chats. */
export interface NestedStep<TAgent> {
  readonly kind: 'nested-chat';
  readonly nesting: object;
  readonly queue: readonly NestedChatOf<TAgent>[];
  readonly sender: Agent | null;
  readonly trigger: ChatMessage | null;
}

/** The members of an agent that its nested chats use. */
export interface NestingAgent<TAgent> extends ChatInitiator<TAgent> {
  emit(happening: Happening | NestedHappening<TAgent>): void;
  step<T>(undertaking: Step | NestedStep<TAgent>, work: StepWork<T>): Promise<T | undefined>;
}

/** Makes the reply function that runs a queue of nested chats whenever it is called. */
export function nestedChatReply<TAgent extends NestingAgent<TAgent>>(
  queue: readonly NestedChatOf<TAgent>[],
  makeReply:
    | NestedReplyFunctionOf<TAgent>
    | 'summary_from_nested_chats' = 'summary_from_nested_chats',
): ReplyFunctionOf<TAgent> {
  const answer = makeReply === 'summary_from_nested_chats' ? summaryFromNestedChats : makeReply;
  if (typeof answer !== 'function') {
    throw new GroupChatError('INVALID_VALUE', 'reply_func_from_nested_chats must be a callable');
  }
  for (const chat of queue) checkQueuedNames(chat);
  const nesting = {};
  let time = 0;
  return async function runNestedChats(recipient, given, sender, config) {
    const messages = given ?? recipient.conversations.with(sender);
    const triggered = { nesting, queue, sender, trigger: messages.at(-1) ?? null };
    const result = await recipient.step({ kind: 'nested-chat', ...triggered }, async () => {
      time += 1;
      recipient.emit({ kind: 'nested-start', ...triggered, time });
      try {
        const result = await answer(queue, recipient, messages, sender, config);
        const [final, reply] = result;
        recipient.emit({ kind: 'nested-end', nesting, final, reply, error: null });
        return result;
      } catch (error) {
        recipient.emit({ kind: 'nested-end', nesting, final: false, reply: null, error });
        throw error;
      }
    });
    return result ?? [true, null];
  };
}

/** Replies with the summary of the last chat; `null` when no chat has an opening. */
async function summaryFromNestedChats<TAgent extends ChatInitiator<TAgent>>(
  queue: readonly NestedChatOf<TAgent>[],
  recipient: TAgent,
  messages: ChatMessage[],
  sender: Agent | null,
  config: unknown,
): Promise<ReplyResult> {
  const chats: QueuedChatOf<TAgent>[] = [];
  for (const [at, chat] of queue.entries()) {
    const message = await openingOf(chat, at, recipient, messages, sender, config);
    if (message) chats.push({ ...chat, sender: chat.sender ?? recipient, message });
  }
  if (chats.length === 0) return [true, null];
  const results = await runQueue<TAgent>(chats);
  return [true, (results.at(-1) as ChatResult).summary];
}

async function openingOf<TAgent>(
  chat: NestedChatOf<TAgent>,
  at: number,
  recipient: TAgent,
  messages: ChatMessage[],
  sender: Agent | null,
  config: unknown,
): Promise<string | ChatMessage | null> {
  const { message = null } = chat;
  if (typeof message === 'function') return message(recipient, messages, sender, config);
  if (message !== null || at > 0) return message;
  return asMessage(messages.at(-1)?.content);
}

function asMessage(content: MessageContent | null | undefined): string | ChatMessage | null {
  if (content === null || content === undefined || typeof content === 'string') {
    return content ?? null;
  }
  return { content };
}
