import type { OptionNames } from '@teamfuse/python-compat';
import {
  agentOptionAdvice,
  agentOptionNames,
  type ConversableAgentOptions,
} from '../agents/agent-options.ts';
import { ConversableAgent } from '../agents/conversable-agent.ts';
import type { PrepareChatOptions } from '../chats/chat.ts';
import type { Stop } from '../chats/stop.ts';
import { invalidOption, invalidValue } from '../errors.ts';
import { Agent } from '../messages/agent.ts';
import type { ChatMessage } from '../messages/message.ts';
import { knownOptions } from '../option-names.ts';
import { GroupChat } from './group-chat.ts';
import { type ResumedChat, type ResumeOptions, resume } from './resume.ts';
import { type GroupRunner, runChat } from './run-chat.ts';
import { isolatedAgents } from './speaker-transitions.ts';

/** How a manager is set up. */
export interface GroupChatManagerOptions extends Omit<ConversableAgentOptions, 'name'> {
  readonly groupchat: GroupChat;
  /** @defaultValue 'chat_manager' */
  readonly name?: string;
  /**
   * Keeps the run off the console.
   * @defaultValue false
   */
  readonly silent?: boolean;
}

const managerNames: OptionNames<GroupChatManagerOptions> = {
  ...agentOptionNames,
  groupchat: true,
};

/**
 * The agent that runs a group: a message to it goes to all members.
 *
 * @example
 * ```ts
 * const writer = new ConversableAgent({ name: 'writer', humanInputMode: 'NEVER', defaultAutoReply: 'A draft.' });
 * const critic = new ConversableAgent({ name: 'critic', humanInputMode: 'NEVER', defaultAutoReply: 'Fine.' });
 * const groupchat = new GroupChat({
 *   agents: [writer, critic],
 *   maxRound: 3,
 *   speakerSelectionMethod: 'round_robin',
 * });
 * const manager = new GroupChatManager({ groupchat, silent: true });
 * await writer.initiateChat(manager, { message: 'A haiku?', silent: true });
 * groupchat.messages.map(({ name }) => name); // => ['writer', 'critic', 'writer']
 * ```
 */
export class GroupChatManager extends ConversableAgent implements GroupRunner {
  readonly groupchat: GroupChat;
  readonly runsSilently: boolean;
  lastSpeaker: Agent | null = null;

  constructor(given: GroupChatManagerOptions) {
    const {
      groupchat,
      silent = false,
      ...options
    } = knownOptions('GroupChatManager', given, managerNames, agentOptionAdvice);
    checkGroup(groupchat);
    checkNoTools(options);
    super({
      name: 'chat_manager',
      maxConsecutiveAutoReply: Number.POSITIVE_INFINITY,
      humanInputMode: 'NEVER',
      systemMessage: 'Group chat manager.',
      ...options,
    });
    this.groupchat = groupchat;
    this.runsSilently = silent;
    this.#warnOfGaps();
    this.replies.registerBuiltIn(Agent, runChat, {
      config: groupchat,
      resetConfig: (group) => group.reset(),
    });
  }

  #warnOfGaps(): void {
    const { agents, allowedSpeakerTransitions } = this.groupchat;
    const names = isolatedAgents(agents, allowedSpeakerTransitions).map(({ name }) => name);
    if (names.length === 0) return;
    this.io.warn(`Speaker transitions name no way to or from: ${names.join(', ')}`);
  }

  override chatMessagesForSummary(): ChatMessage[] {
    return this.groupchat.messages;
  }

  /** The last refusal of a step of this agent, or of a member. */
  override get refusal(): Stop | null {
    const members = this.groupchat.agents.filter((agent) => agent instanceof ConversableAgent);
    return super.refusal ?? members.find((member) => member.refusal)?.refusal ?? null;
  }

  override prepareChat(recipient: Agent, options: PrepareChatOptions): void {
    super.prepareChat(recipient, options);
    if (options.clearHistory) this.groupchat.reset();
    for (const agent of this.groupchat.agents) {
      const isPrepared = agent === recipient && !options.prepareRecipient;
      if (isPrepared || !(agent instanceof ConversableAgent)) continue;
      agent.prepareChat(this, { ...options, prepareRecipient: false });
    }
  }

  /** Restores an earlier group chat; the returned agent continues it with the returned message. */
  resume(messages: string | readonly ChatMessage[], options?: ResumeOptions): Promise<ResumedChat> {
    return resume(this, messages, options);
  }
}

function checkGroup(groupchat: unknown): void {
  if (groupchat instanceof GroupChat) return;
  throw invalidOption('groupchat', 'a GroupChat', groupchat);
}

function checkNoTools({ llmConfig }: Pick<ConversableAgentOptions, 'llmConfig'>): void {
  if (!llmConfig) return;
  if (!llmConfig.functions?.length && !llmConfig.tools?.length) return;
  throw invalidValue(
    "GroupChatManager is not allowed to make function/tool calls. Please remove the 'functions' or 'tools' config in 'llm_config' you passed in.",
  );
}
