import type { ConversableAgent } from '../agents/conversable-agent.ts';
import { GroupChatError } from '../errors.ts';
import { coloured } from '../io/io-stream.ts';
import type { ChatResult, InitiateChatOptions, OpeningFunction } from './chat.ts';
import { checkSummaryMethod } from './summary.ts';

/** One chat of a queue. */
export interface QueuedChat<Opening = OpeningFunction> extends InitiateChatOptions<Opening> {
  readonly sender?: ConversableAgent | undefined;
  readonly recipient: ConversableAgent;
  /** Earlier chats of the queue, counted from 0, whose summaries are not carried over. */
  readonly finishedChatIndexesToExcludeFromCarryover?: readonly number[] | undefined;
}

/**
 * Runs chats one after the other; each gets the summaries of those before it as carryover.
 *
 * The queue is left as it was given, so it can be run again.
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

function checkChat({ sender, recipient, summaryMethod = 'last_msg' }: QueuedChat): void {
  if (!sender) throw new GroupChatError('INVALID_USE', 'sender must be provided.');
  if (!recipient) throw new GroupChatError('INVALID_USE', 'recipient must be provided.');
  checkSummaryMethod(summaryMethod, sender, recipient);
}

function warnOfRepetition(queue: readonly QueuedChat[]): void {
  const recipients = queue.map(({ recipient }) => recipient);
  if (new Set(recipients).size === recipients.length) return;
  const names = recipients.map(({ name }) => name).join(', ');
  (queue[0] as QueuedChat).sender?.io.warn(
    `Repetitive recipients detected: The chat history will be cleared by default if a recipient appears more than once. To retain the chat history, set clearHistory to false. Recipients: ${names}`,
  );
}

function ownCarryover({ carryover = [] }: QueuedChat): readonly unknown[] {
  return typeof carryover === 'string' ? [carryover] : carryover;
}

function announce(sender: ConversableAgent): void {
  const bar = '*'.repeat(80);
  const lines = [`\n${bar}`, 'Starting a new chat....', `\n${bar}`];
  sender.io.print(lines.map((line) => coloured('blue', line)).join('\n'));
}
