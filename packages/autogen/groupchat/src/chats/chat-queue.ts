import type { OptionAdvice, OptionNames } from '@teamfuse/python-compat';
import type { ConversableAgent } from '../agents/conversable-agent.ts';
import { GroupChatError } from '../errors.ts';
import { coloured, type IOStream } from '../io/io-stream.ts';
import { knownOptions } from '../option-names.ts';
import type { Carryover } from './carryover.ts';
import {
  type ChatResult,
  chatOptionAdvice,
  chatOptionNames,
  type InitiateChatOptions,
  type OpeningFunction,
} from './chat.ts';
import { checkSummaryMethod } from './summary.ts';

/** One chat of a queue. */
export interface QueuedChat<Opening = OpeningFunction> extends InitiateChatOptions<Opening> {
  readonly sender?: ConversableAgent | undefined;
  readonly recipient: ConversableAgent;
  /** Earlier chats of the queue, counted from 0, whose summaries are not carried over. */
  readonly finishedChatIndexesToExcludeFromCarryover?: readonly number[] | undefined;
}

const queuedChatNames: OptionNames<QueuedChat<never>> = {
  ...chatOptionNames,
  sender: true,
  recipient: true,
  finishedChatIndexesToExcludeFromCarryover: true,
};

const queuedChatAdvice: OptionAdvice = {
  ...chatOptionAdvice,
  chat_id: 'chats run in the order of the queue',
  prerequisites: 'chats run in the order of the queue',
};

/** Rejects options that a chat of a queue does not have. */
export function checkQueuedNames<Opening>(chat: QueuedChat<Opening>): void {
  knownOptions('chat of a queue', chat, queuedChatNames, queuedChatAdvice);
}

/**
 * Runs chats one after the other; each gets the summaries of those before it as carryover.
 *
 * The queue is not changed, so it can be run again.
 */
export async function initiateChats(queue: readonly QueuedChat[]): Promise<ChatResult[]> {
  for (const chat of queue) checkChat(chat);
  warnOfRepetition(queue);
  const finished: ChatResult[] = [];
  for (const chat of queue) {
    const { sender, recipient, finishedChatIndexesToExcludeFromCarryover, ...options } = chat;
    const excluded = finishedChatIndexesToExcludeFromCarryover ?? [];
    const summaries = finished.flatMap(({ summary }, at) =>
      excluded.includes(at) ? [] : [summary],
    );
    const carryover = [...ownCarryover(chat), ...summaries];
    const speaker = sender as ConversableAgent;
    if (!chat.silent) announce(speaker);
    finished.push(await speaker.initiateChat(recipient, { ...options, carryover }));
  }
  return finished;
}

function checkChat(chat: QueuedChat): void {
  checkQueuedNames(chat);
  const { sender, recipient, summaryMethod = 'last_msg' } = chat;
  if (!sender) throw new GroupChatError('INVALID_USE', 'sender must be provided.');
  if (!recipient) throw new GroupChatError('INVALID_USE', 'recipient must be provided.');
  checkSummaryMethod(summaryMethod, sender, recipient);
}

function warnOfRepetition(queue: readonly QueuedChat[]): void {
  const recipients = queue.map(({ recipient }) => recipient);
  if (new Set(recipients).size === recipients.length) return;
  const names = recipients.map(({ name }) => name).join(', ');
  queue[0]?.sender?.io.warn(
    `Repetitive recipients detected: The chat history will be cleared by default if a recipient appears more than once. To retain the chat history, set clearHistory to false. Recipients: ${names}`,
  );
}

function ownCarryover({
  carryover = [],
}: {
  readonly carryover?: Carryover | undefined;
}): readonly unknown[] {
  return typeof carryover === 'string' ? [carryover] : carryover;
}

function announce({ io }: { readonly io: IOStream }): void {
  const bar = '*'.repeat(80);
  const lines = [`\n${bar}`, 'Starting a new chat....', `\n${bar}`];
  io.print(lines.map((line) => coloured('blue', line)).join('\n'));
}
