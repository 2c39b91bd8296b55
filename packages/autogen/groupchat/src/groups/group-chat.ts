import type { OptionNames } from '@teamfuse/python-compat';
import { repr } from '@teamfuse/python-compat';
import type { HookMethods } from '../agents/message-hooks.ts';
import { AgentNameConflict, GroupChatError, invalidOption, UndefinedNextAgent } from '../errors.ts';
import type { Agent } from '../messages/agent.ts';
import { contentText } from '../messages/content.ts';
import type { ChatMessage } from '../messages/message.ts';
import type { LlmConfig } from '../models/llm-config.ts';
import { knownOptions } from '../option-names.ts';
import { formatTemplate } from '../text/format-template.ts';
import {
  checkTemplates,
  type SelectSpeakerTemplates,
  templateNames,
} from './select-speaker-templates.ts';
import {
  deriveTransitions,
  type SpeakerTransitions,
  type TransitionOptions,
  transitionNames,
} from './speaker-transitions.ts';

/** The ways the next speaker is chosen; upper and lower case are the same. */
export type SpeakerSelectionMethod = 'auto' | 'manual' | 'random' | 'round_robin';

/** Chooses the next speaker: an agent, a method to use this time, or `null` to end the run. */
export type SpeakerSelector = (
  lastSpeaker: Agent,
  groupchat: GroupChat,
) => Agent | string | null | Promise<Agent | string | null>;

/** How a group is set up. */
export interface GroupChatOptions extends Partial<SelectSpeakerTemplates>, TransitionOptions {
  readonly agents: readonly Agent[];
  /** @defaultValue [] */
  readonly messages?: readonly ChatMessage[];
  /**
   * How many messages a run has at most, the opening one included.
   * @defaultValue 10
   */
  readonly maxRound?: number;
  /**
   * The member that speaks when a person interrupts.
   * @defaultValue 'Admin'
   */
  readonly adminName?: string;
  /**
   * Hands a message that asks for a function to an agent that has it.
   * @defaultValue true
   */
  readonly funcCallFilter?: boolean;
  /** @defaultValue 'auto' */
  readonly speakerSelectionMethod?: SpeakerSelectionMethod | SpeakerSelector | (string & {});
  /** @defaultValue 2 */
  readonly maxRetriesForSelectingSpeaker?: number;
  /**
   * Executes CLEAR HISTORY phrases in messages.
   * @defaultValue false
   */
  readonly enableClearHistory?: boolean;
  /**
   * Introduces the members to one another at the start of every run.
   * @defaultValue false
   */
  readonly sendIntroductions?: boolean;
  /**
   * Prints how the model chooses speakers.
   * @defaultValue false
   */
  readonly selectSpeakerAutoVerbose?: boolean;
  /** The model that chooses speakers, in place of the manager's. */
  readonly selectSpeakerAutoLlmConfig?: LlmConfig | null;
  /** Changes the transcript for that model. */
  readonly selectSpeakerTransformMessages?: HookMethods['processAllMessagesBeforeReply'] | null;
  /** @defaultValue 'system' */
  readonly roleForSelectSpeakerMessages?: string;
  /** A number from 0 to just below 1, for the method `random`. @defaultValue Math.random */
  readonly random?: () => number;
}

const groupChatNames: OptionNames<GroupChatOptions> = {
  ...templateNames,
  ...transitionNames,
  agents: true,
  messages: true,
  maxRound: true,
  adminName: true,
  funcCallFilter: true,
  speakerSelectionMethod: true,
  maxRetriesForSelectingSpeaker: true,
  enableClearHistory: true,
  sendIntroductions: true,
  selectSpeakerAutoVerbose: true,
  selectSpeakerAutoLlmConfig: true,
  selectSpeakerTransformMessages: true,
  roleForSelectSpeakerMessages: true,
  random: true,
};

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
    const { roleForSelectSpeakerMessages = 'system', maxRetriesForSelectingSpeaker = 2 } = options;
    this.agents = [...options.agents];
    this.messages = [...(options.messages ?? [])];
    this.maxRound = checkMaxRound(options.maxRound ?? 10);
    this.adminName = options.adminName ?? 'Admin';
    this.funcCallFilter = options.funcCallFilter ?? true;
    this.speakerSelectionMethod = options.speakerSelectionMethod ?? 'auto';
    this.enableClearHistory = options.enableClearHistory ?? false;
    this.sendIntroductions = options.sendIntroductions ?? false;
    this.selectSpeakerAutoLlmConfig = options.selectSpeakerAutoLlmConfig ?? null;
    this.#random = options.random ?? Math.random;
    const { allowRepeatSpeaker, allowedSpeakerTransitions } = deriveTransitions(
      this.agents,
      options,
    );
    this.allowRepeatSpeaker = allowRepeatSpeaker;
    this.allowedSpeakerTransitions = allowedSpeakerTransitions;
    this.templates = checkTemplates(givenTemplates(options));
    this.roleForSelectSpeakerMessages = checkRole(roleForSelectSpeakerMessages);
    this.maxRetriesForSelectingSpeaker = checkRetries(maxRetriesForSelectingSpeaker);
    this.selectSpeakerAutoVerbose = checkVerbose(
      options.selectSpeakerAutoVerbose === undefined ? false : options.selectSpeakerAutoVerbose,
    );
    this.selectSpeakerTransformMessages = checkTransform(
      options.selectSpeakerTransformMessages ?? null,
    );
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

function givenTemplates(options: GroupChatOptions): Partial<SelectSpeakerTemplates> {
  const keys = Object.keys(templateNames) as (keyof SelectSpeakerTemplates)[];
  return Object.fromEntries(keys.flatMap((key) => (key in options ? [[key, options[key]]] : [])));
}

function checkMaxRound(maxRound: number): number {
  if (maxRound >= 0) return maxRound;
  throw invalidOption('maxRound', 'a number from 0 up', maxRound);
}

function checkRole(role: string): string {
  if (role) return role;
  throw invalid('role_for_select_speaker_messages cannot be empty or None.');
}

function checkRetries(retries: unknown): number {
  if (retries === null) throw invalid('role_for_select_speaker_messages cannot be empty or None.');
  if (!Number.isInteger(retries)) {
    throw invalid('max_retries_for_selecting_speaker cannot be None or non-int');
  }
  if ((retries as number) >= 0) return retries as number;
  throw invalid('max_retries_for_selecting_speaker must be greater than or equal to zero');
}

function checkVerbose(verbose: unknown): boolean {
  if (typeof verbose === 'boolean') return verbose;
  throw invalid('select_speaker_auto_verbose cannot be None or non-bool');
}

function checkTransform<T>(transform: T): T {
  if (transform === null || typeof transform === 'function') return transform;
  throw invalid('select_speaker_transform_messages must be None or MessageTransforms.');
}

function invalid(message: string): GroupChatError {
  return new GroupChatError('INVALID_VALUE', message);
}
