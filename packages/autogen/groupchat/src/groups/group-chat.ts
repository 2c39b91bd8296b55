import { repr } from '@teamfuse/python-compat';
import type { HookMethods } from '../agents/message-hooks.ts';
import { AgentNameConflict, invalidOption, UndefinedNextAgent } from '../errors.ts';
import type { Agent } from '../messages/agent.ts';
import { contentText } from '../messages/content.ts';
import type { ChatMessage } from '../messages/message.ts';
import type { LlmConfig } from '../models/llm-config.ts';
import { knownOptions } from '../option-names.ts';
import { formatTemplate } from '../text/format-template.ts';
import {
  checkGroupOptions,
  type GroupChatOptions,
  groupChatNames,
  type SpeakerSelector,
} from './group-chat-options.ts';
import type { SelectSpeakerTemplates } from './select-speaker-templates.ts';
import type { SpeakerTransitions } from './speaker-transitions.ts';

/** The members of a group, its messages, and the rules for the next speaker. */
export class GroupChat {
  agents: Agent[];
  messages: ChatMessage[];
  maxRound: number;
  adminName: string;
  funcCallFilter: boolean;
  speakerSelectionMethod: string | SpeakerSelector;
  maxRetriesForSelectingSpeaker: number;
  allowRepeatSpeaker: boolean | readonly Agent[] | null;
  allowedSpeakerTransitions: SpeakerTransitions;
  enableClearHistory: boolean;
  sendIntroductions: boolean;
  selectSpeakerAutoVerbose: boolean;
  selectSpeakerAutoLlmConfig: LlmConfig | null;
  selectSpeakerTransformMessages: HookMethods['processAllMessagesBeforeReply'] | null;
  roleForSelectSpeakerMessages: string;
  templates: SelectSpeakerTemplates;
  readonly #random: () => number;

  constructor(options: GroupChatOptions) {
    knownOptions('GroupChat', options, groupChatNames);
    if (!Array.isArray(options.agents)) {
      throw invalidOption('agents', 'a list of agents', options.agents);
    }
    this.agents = [...options.agents];
    this.messages = [...(options.messages ?? [])];
    this.adminName = options.adminName ?? 'Admin';
    this.funcCallFilter = options.funcCallFilter ?? true;
    this.speakerSelectionMethod = options.speakerSelectionMethod ?? 'auto';
    this.enableClearHistory = options.enableClearHistory ?? false;
    this.sendIntroductions = options.sendIntroductions ?? false;
    this.selectSpeakerAutoLlmConfig = options.selectSpeakerAutoLlmConfig ?? null;
    this.#random = options.random ?? Math.random;
    const checked = checkGroupOptions(this.agents, options);
    this.maxRound = checked.maxRound;
    this.allowRepeatSpeaker = checked.allowRepeatSpeaker;
    this.allowedSpeakerTransitions = checked.allowedSpeakerTransitions;
    this.templates = checked.templates;
    this.roleForSelectSpeakerMessages = checked.roleForSelectSpeakerMessages;
    this.maxRetriesForSelectingSpeaker = checked.maxRetriesForSelectingSpeaker;
    this.selectSpeakerAutoVerbose = checked.selectSpeakerAutoVerbose;
    this.selectSpeakerTransformMessages = checked.selectSpeakerTransformMessages;
  }

  get agentNames(): string[] {
    return this.agents.map(({ name }) => name);
  }

  /** Removes all messages; the list stays the same object. */
  reset(): void {
    this.messages.length = 0;
  }

  /** Adds a message to the group, as plain text under its speaker's name. */
  append(message: ChatMessage, speaker: Agent): void {
    if (message.role !== 'function') message.name = speaker.name;
    message.content = contentText(message.content);
    this.messages.push(message);
  }

  /** The first member with a name. */
  agentByName(name: string, options: AgentLookupOptions = {}): Agent | null {
    const { recursive = false, raiseOnNameConflict = false } = knownOptions(
      'agentByName',
      options,
      { recursive: true, raiseOnNameConflict: true },
    );
    const agents = recursive ? this.nestedAgents() : this.agents;
    const found = agents.filter((agent) => agent.name === name);
    if (raiseOnNameConflict && found.length > 1) throw new AgentNameConflict();
    return found[0] ?? null;
  }

  /** The members, and those of the groups that members manage. */
  nestedAgents(): Agent[] {
    return this.agents.flatMap((agent) => {
      const inner = 'groupchat' in agent ? agent.groupchat : null;
      return inner instanceof GroupChat ? [agent, ...inner.nestedAgents()] : [agent];
    });
  }

  /** The next member in the ring that is among the given agents. */
  nextAgent(agent: Agent, agents: readonly Agent[] = this.agents): Agent {
    if (!agents.every((candidate) => this.agents.includes(candidate))) {
      throw new UndefinedNextAgent();
    }
    const from = this.agentNames.indexOf(agent.name) + 1;
    const ring = [...this.agents.slice(from), ...this.agents.slice(0, from)];
    const next = ring.find((candidate) => agents.includes(candidate));
    if (!next) throw new UndefinedNextAgent();
    return next;
  }

  /** A random member. */
  randomSelectSpeaker(agents: readonly Agent[] = this.agents): Agent {
    const drawn = agents[Math.floor(this.#random() * agents.length)];
    if (!drawn) throw new UndefinedNextAgent();
    return drawn;
  }

  /** The system message of the model that chooses speakers. */
  selectSpeakerMsg(agents: readonly Agent[] = this.agents): string {
    const roles = participantRoles(agents);
    return formatTemplate(this.templates.selectSpeakerMessageTemplate, {
      roles,
      agentlist: agentList(agents),
    });
  }

  /** The question to that model; `null` for none. */
  selectSpeakerPrompt(agents: readonly Agent[] = this.agents): string | null {
    const template = this.templates.selectSpeakerPromptTemplate;
    return template === null ? null : formatTemplate(template, { agentlist: agentList(agents) });
  }

  /** The introduction that every member receives if `sendIntroductions` is set. */
  introductionsMsg(agents: readonly Agent[] = this.agents): string {
    return `${introduction}\n\n${participantRoles(agents)}`;
  }
}

/** How a member is looked up. */
export interface AgentLookupOptions {
  /** @defaultValue false */
  readonly recursive?: boolean;
  /** @defaultValue false */
  readonly raiseOnNameConflict?: boolean;
}

/** The names as they appear in prompts. */
export function agentList(agents: readonly Agent[]): string {
  return repr(agents.map(({ name }) => name));
}

const introduction =
  'Welcome, everybody. We are here to work on a task together. The members of this conversation are:';

function participantRoles(agents: readonly Agent[]): string {
  return agents.map(({ name, description }) => `${name}: ${description}`.trim()).join('\n');
}
