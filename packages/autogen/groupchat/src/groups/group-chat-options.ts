import type { OptionNames } from '@teamfuse/python-compat';
import type { HookMethods } from '../agents/message-hooks.ts';
import { invalidOption, invalidValue } from '../errors.ts';
import type { Agent } from '../messages/agent.ts';
import type { ChatMessage } from '../messages/message.ts';
import type { LlmConfig } from '../models/llm-config.ts';
import type { GroupChat } from './group-chat.ts';
import {
  checkTemplates,
  type SelectSpeakerTemplates,
  templateNames,
} from './select-speaker-templates.ts';
import {
  deriveTransitions,
  type TransitionOptions,
  type Transitions,
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

/** The options of a group that can be wrong, with their defaults. */
interface CheckedGroupOptions extends Transitions {
  readonly maxRound: number;
  readonly templates: SelectSpeakerTemplates;
  readonly roleForSelectSpeakerMessages: string;
  readonly maxRetriesForSelectingSpeaker: number;
  readonly selectSpeakerAutoVerbose: boolean;
  readonly selectSpeakerTransformMessages: HookMethods['processAllMessagesBeforeReply'] | null;
}

/** The options of a group. */
export const groupChatNames: OptionNames<GroupChatOptions> = {
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

/** Returns the options of a group that can be wrong, with their defaults. */
export function checkGroupOptions(
  agents: readonly Agent[],
  options: GroupChatOptions,
): CheckedGroupOptions {
  const {
    maxRound,
    roleForSelectSpeakerMessages = 'system',
    maxRetriesForSelectingSpeaker = 2,
    selectSpeakerAutoVerbose = false,
    selectSpeakerTransformMessages,
  } = options;
  return {
    maxRound: checkMaxRound(maxRound ?? 10),
    ...deriveTransitions(agents, options),
    templates: checkTemplates(givenTemplates(options)),
    roleForSelectSpeakerMessages: checkRole(roleForSelectSpeakerMessages),
    maxRetriesForSelectingSpeaker: checkRetries(maxRetriesForSelectingSpeaker),
    selectSpeakerAutoVerbose: checkVerbose(selectSpeakerAutoVerbose),
    selectSpeakerTransformMessages: checkTransform(selectSpeakerTransformMessages ?? null),
  };
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
  throw invalidValue('role_for_select_speaker_messages cannot be empty or None.');
}

function checkRetries(retries: unknown): number {
  if (retries === null) {
    throw invalidValue('role_for_select_speaker_messages cannot be empty or None.');
  }
  if (!Number.isInteger(retries)) {
    throw invalidValue('max_retries_for_selecting_speaker cannot be None or non-int');
  }
  if ((retries as number) >= 0) return retries as number;
  throw invalidValue('max_retries_for_selecting_speaker must be greater than or equal to zero');
}

function checkVerbose(verbose: unknown): boolean {
  if (typeof verbose === 'boolean') return verbose;
  throw invalidValue('select_speaker_auto_verbose cannot be None or non-bool');
}

function checkTransform<T>(transform: T): T {
  if (transform === null || typeof transform === 'function') return transform;
  throw invalidValue('select_speaker_transform_messages must be None or MessageTransforms.');
}
