import type { OptionNames } from '@teamfuse/python-compat';
import { invalidValue } from '../errors.ts';
import { type Agent, isAgent } from '../messages/agent.ts';

/** The agents that may speak after each agent; an agent that is no key ends the run when it has spoken. */
export type SpeakerTransitions = ReadonlyMap<Agent, readonly Agent[]>;

/** The options that limit which agent may speak after which. */
export interface TransitionOptions {
  /**
   * Whether an agent may speak twice in a row: all, none, or those listed.
   * @defaultValue true when no transitions are given
   */
  readonly allowRepeatSpeaker?: boolean | readonly Agent[] | null;
  /** The edges of the graph; `speakerTransitionsType` gives their meaning. */
  readonly allowedOrDisallowedSpeakerTransitions?: SpeakerTransitions | null;
  readonly speakerTransitionsType?: string | null;
}

/** The options that limit transitions. */
export const transitionNames: OptionNames<TransitionOptions> = {
  allowRepeatSpeaker: true,
  allowedOrDisallowedSpeakerTransitions: true,
  speakerTransitionsType: true,
};

/** The transitions derived from the options. */
export interface Transitions {
  readonly allowRepeatSpeaker: boolean | readonly Agent[] | null;
  readonly allowedSpeakerTransitions: SpeakerTransitions;
}

/** Checks the transition options and derives the graph of allowed transitions. */
export function deriveTransitions(
  agents: readonly Agent[],
  options: TransitionOptions,
): Transitions {
  const { allowedOrDisallowedSpeakerTransitions: given = null } = options;
  let { allowRepeatSpeaker = null } = options;
  checkRepeat(allowRepeatSpeaker);
  const type = checkType(options.speakerTransitionsType ?? null);
  if (given === null) {
    allowRepeatSpeaker ??= true;
    return { allowRepeatSpeaker, allowedSpeakerTransitions: mesh(agents, allowRepeatSpeaker) };
  }
  if (allowRepeatSpeaker !== null) {
    throw invalidValue(
      "Don't provide both allowed_or_disallowed_speaker_transitions and allow_repeat_speaker in group chat. Please set one of them to None.",
    );
  }
  if (type === null) {
    throw invalidValue(
      "GroupChat allowed_or_disallowed_speaker_transitions is not None, but speaker_transitions_type is None. Please set speaker_transitions_type to either 'allowed' or 'disallowed'.",
    );
  }
  checkGraph(agents, given);
  return {
    allowRepeatSpeaker,
    allowedSpeakerTransitions: type === 'allowed' ? given : complement(agents, given),
  };
}

/** The agents without any transition to or from them, most likely by mistake. */
export function isolatedAgents(
  agents: readonly Agent[],
  transitions: SpeakerTransitions,
): readonly Agent[] {
  const targets = new Set([...transitions.values()].flat());
  return agents.filter((agent) => !transitions.has(agent) && !targets.has(agent));
}

function mesh(agents: readonly Agent[], repeat: boolean | readonly Agent[]): SpeakerTransitions {
  if (Array.isArray(repeat) && repeat.some((agent) => !agents.includes(agent))) {
    throw invalidValue('GroupChat allow_repeat_speaker names an agent that is not in the group.');
  }
  const mayRepeat = (agent: Agent): boolean =>
    typeof repeat === 'boolean' ? repeat : repeat.includes(agent);
  return new Map(
    agents.map((agent) => {
      const others = agents.filter((other) => other !== agent);
      return [agent, mayRepeat(agent) ? [...others, agent] : others];
    }),
  );
}

function complement(agents: readonly Agent[], disallowed: SpeakerTransitions): SpeakerTransitions {
  return new Map(
    agents.map((agent) => {
      const barred = disallowed.get(agent) ?? [];
      return [agent, agents.filter((other) => !barred.includes(other))];
    }),
  );
}

function checkRepeat(repeat: unknown): void {
  if (repeat === null || typeof repeat === 'boolean' || Array.isArray(repeat)) return;
  throw invalidValue('GroupChat allow_repeat_speaker should be a bool or a list of Agents.');
}

function checkType(type: string | null): 'allowed' | 'disallowed' | null {
  if (type === null) return null;
  const lower = type.toLowerCase();
  if (lower === 'allowed' || lower === 'disallowed') return lower;
  throw invalidValue(
    `GroupChat speaker_transitions_type is set to '${type}'. It should be one of ['allowed', 'disallowed', None] (case insensitive). `,
  );
}

function checkGraph(agents: readonly Agent[], graph: unknown): void {
  if (!(graph instanceof Map)) {
    throw invalidValue('allowed_speaker_transitions_dict must be a dictionary.');
  }
  if (![...graph.values()].every(Array.isArray)) {
    throw invalidValue(
      'allowed_speaker_transitions_dict must be a dictionary with lists as values.',
    );
  }
  if (![...graph.keys()].every((key) => agents.includes(key as Agent))) {
    throw invalidValue('allowed_speaker_transitions_dict has keys not in agents.');
  }
  if (![...graph.values()].flat().every(isAgent)) {
    throw invalidValue('allowed_speaker_transitions_dict has values that are not lists of Agents.');
  }
}
