import { ConversableAgent } from '../agents/conversable-agent.ts';
import { GroupChatError } from '../errors.ts';
import { coloured } from '../io/io-stream.ts';
import type { Agent } from '../messages/agent.ts';
import { contentText } from '../messages/content.ts';
import { nextDelivery } from '../messages/delivery.ts';
import type { ChatMessage } from '../messages/message.ts';
import { knownOptions } from '../option-names.ts';
import type { GroupChat } from './group-chat.ts';

/** How a group chat is restored. */
export interface ResumeOptions {
  /** Text to remove from the last message, or a function that edits it, so that the chat does not end at once. */
  readonly removeTerminationString?: string | ((content: string) => string);
  /** @defaultValue false */
  readonly silent?: boolean;
}

/** The point where a group chat continues. */
export interface ResumedChat {
  /** The agent that continues: `lastAgent.initiateChat(manager, { message: lastMessage, clearHistory: false })`. */
  readonly lastAgent: ConversableAgent;
  readonly lastMessage: ChatMessage;
}

/** The agent that manages the group to restore. */
type GroupManager = ConversableAgent & { readonly groupchat: GroupChat };

/** Restores the messages of an earlier group chat in a group and its members. */
export async function resume(
  manager: GroupManager,
  given: string | readonly ChatMessage[],
  options: ResumeOptions = {},
): Promise<ResumedChat> {
  const { removeTerminationString, silent = false } = knownOptions('resume', options, {
    removeTerminationString: true,
    silent: true,
  });
  const { groupchat } = manager;
  const messages = readMessages(given);
  const members = groupchat.agents.filter((agent) => agent instanceof ConversableAgent);
  for (const agent of [...members, manager]) agent.clearHistory();
  groupchat.reset();
  checkMessages(manager, messages);
  if (removeTerminationString !== undefined) clean(messages, removeTerminationString);
  for (const message of messages) message.name ??= manager.name;
  for (const message of messages.slice(0, -1)) await restore(message, manager);
  const lastMessage = messages.at(-1) as ChatMessage;
  const lastAgent = speakerOf(lastMessage, manager);
  groupchat.sendIntroductions = false;
  if (!silent) {
    manager.io.print(
      coloured(
        'green',
        `Prepared group chat with ${messages.length} messages, the last speaker is ${lastMessage.name ?? manager.name}`,
      ),
    );
  }
  if (manager.isTerminationMsg(lastMessage)) {
    manager.io.warn('Last message meets termination criteria and this may terminate the chat.');
  }
  return { lastAgent, lastMessage };
}

async function restore(message: ChatMessage, manager: GroupManager): Promise<void> {
  const { groupchat } = manager;
  const speaker = speakerOf(message, manager);
  const delivery = nextDelivery();
  for (const agent of groupchat.agents) {
    await manager.send(message, agent, { requestReply: false, silent: true, delivery });
  }
  groupchat.append(message, speaker);
  manager.emit({ kind: 'group-message', speaker, message, round: 0, delivery });
}

function readMessages(given: unknown): ChatMessage[] {
  const messages = typeof given === 'string' ? parse(given) : given;
  if (!Array.isArray(messages)) {
    throw new GroupChatError('RESUME', 'Messages is not of type str or List[Dict]');
  }
  return structuredClone(messages);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new GroupChatError('RESUME', 'Messages string is not a valid JSON string', { cause });
  }
}

function checkMessages(manager: GroupManager, messages: readonly ChatMessage[]): void {
  const { agentNames, adminName } = manager.groupchat;
  if (messages.length === 0) {
    throw new GroupChatError(
      'RESUME',
      'Cannot resume group chat as no messages were provided. Use GroupChatManager.run_chat or ConversableAgent.initiate_chat to start a new chat.',
    );
  }
  const known = [...agentNames, adminName, manager.name];
  for (const { name } of messages) {
    if (name === undefined || known.includes(name)) continue;
    throw new GroupChatError(
      'RESUME',
      `Agent name in message doesn't exist as agent in group chat: ${name}`,
    );
  }
}

function clean(
  messages: readonly ChatMessage[],
  remove: string | ((text: string) => string),
): void {
  const last = messages.at(-1);
  if (!last?.content) return;
  const text = contentText(last.content);
  last.content = typeof remove === 'function' ? remove(text) : text.replaceAll(remove, '');
}

function speakerOf({ name }: ChatMessage, manager: GroupManager): ConversableAgent {
  const speaker: Agent | null = name === undefined ? null : manager.groupchat.agentByName(name);
  return speaker instanceof ConversableAgent ? speaker : manager;
}
