import type { ConversableAgent } from '../agents/conversable-agent.ts';
import { invalidValue } from '../errors.ts';
import type { Agent } from '../messages/agent.ts';
import type { ChatMessage, MessageContent } from '../messages/message.ts';
import { knownOptions } from '../option-names.ts';
import {
  type RegisterReplyOptions,
  type ReplyFunction,
  type ReplyResult,
  registerReplyNames,
} from '../replies/reply-function.ts';
import type { ChatResult } from './chat.ts';
import { checkQueuedNames, initiateChats, type QueuedChat } from './chat-queue.ts';

/** Computes the opening of a nested chat; a chat whose opening is `null` is skipped. */
export type NestedOpening = (
  recipient: ConversableAgent,
  messages: ChatMessage[],
  sender: Agent | null,
  config: unknown,
) => string | ChatMessage | null | Promise<string | ChatMessage | null>;

/** A chat that an agent has with others before it answers; the agent itself is the default sender. */
export type NestedChat = QueuedChat<NestedOpening>;

/** Makes a reply from nested chats, in place of the summary of the last one. */
export type NestedReplyFunction = (
  chatQueue: readonly NestedChat[],
  recipient: ConversableAgent,
  messages: ChatMessage[],
  sender: Agent | null,
  config: unknown,
) => ReplyResult | Promise<ReplyResult>;

/** Options of {@link ConversableAgent.registerNestedChats}. */
export interface RegisterNestedChatsOptions extends RegisterReplyOptions {
  /** @defaultValue 'summary_from_nested_chats' */
  readonly replyFuncFromNestedChats?: 'summary_from_nested_chats' | NestedReplyFunction;
  /** @defaultValue 2 (right after the termination check of an untouched agent) */
  readonly position?: number;
}

/** Returns the options of {@link ConversableAgent.registerNestedChats}; rejects unknown ones. */
export function knownNestedOptions(
  options: RegisterNestedChatsOptions,
): RegisterNestedChatsOptions {
  const names = { ...registerReplyNames, replyFuncFromNestedChats: true } as const;
  return knownOptions('registerNestedChats', options, names, {
    use_async: 'every chat here may await',
  });
}

/** Makes the reply function that runs a queue of nested chats whenever it is called. */
export function nestedChatReply(
  queue: readonly NestedChat[],
  makeReply: NestedReplyFunction | 'summary_from_nested_chats' = 'summary_from_nested_chats',
): ReplyFunction {
  const answer = makeReply === 'summary_from_nested_chats' ? summaryFromNestedChats : makeReply;
  if (typeof answer !== 'function') {
    throw invalidValue('reply_func_from_nested_chats must be a callable');
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
const summaryFromNestedChats: NestedReplyFunction = async (queue, ...given) => {
  const [recipient, messages] = given;
  const chats: QueuedChat[] = [];
  for (const [at, chat] of queue.entries()) {
    const received = at === 0 ? asMessage(messages.at(-1)?.content) : null;
    const { message: opening } = chat;
    const message = typeof opening === 'function' ? await opening(...given) : (opening ?? received);
    if (message) chats.push({ ...chat, sender: chat.sender ?? recipient, message });
  }
  if (chats.length === 0) return [true, null];
  const results = await initiateChats(chats);
  return [true, (results.at(-1) as ChatResult).summary];
};

function asMessage(content: MessageContent | null | undefined): string | ChatMessage | null {
  if (content === null || content === undefined || typeof content === 'string') {
    return content ?? null;
  }
  return { content };
}
