import { typeText } from '@teamfuse/python-compat';
import { invalidValue, NoEligibleSpeaker } from '../errors.ts';
import type { Agent } from '../messages/agent.ts';
import { isAgent } from '../messages/agent.ts';
import type { ChatMessage } from '../messages/message.ts';
import type { GroupChat } from './group-chat.ts';
import type { SpeakerSelectionMethod, SpeakerSelector } from './group-chat-options.ts';

const methods: readonly SpeakerSelectionMethod[] = ['auto', 'manual', 'random', 'round_robin'];

/** The next speaker if the rules leave no choice, otherwise the method and the agents to choose from. */
export type Candidates =
  | { readonly kind: 'settled'; readonly speaker: Agent }
  | {
      readonly kind: 'open';
      readonly method: SpeakerSelectionMethod;
      /** Never empty: when no agent is eligible by the rules, all are. */
      readonly agents: readonly Agent[];
    };

/** Applies the rules of a group for the next speaker. */
export async function speakerCandidates(
  groupchat: GroupChat,
  lastSpeaker: Agent,
  warn: (text: string) => void,
): Promise<Candidates> {
  const { speakerSelectionMethod } = groupchat;
  const chosen =
    typeof speakerSelectionMethod === 'function'
      ? await chosenBy(speakerSelectionMethod, groupchat, lastSpeaker)
      : speakerSelectionMethod;
  if (isAgent(chosen)) return settled(chosen);
  const method = checkMethod(chosen);
  const { agents, allowedSpeakerTransitions } = groupchat;
  const mayRepeat = repeatAllowed(groupchat, lastSpeaker);
  checkPopulation(agents);
  if (agents.length === 2 && method !== 'round_robin' && mayRepeat !== false) warn(twoAgents);
  let capable = executors(groupchat);
  if (capable.length === 1) return settled(capable[0] as Agent);
  if (mayRepeat === false) capable = capable.filter((agent) => agent !== lastSpeaker);
  const eligible = allowedSpeakerTransitions.get(lastSpeaker);
  if (!eligible && agents.includes(lastSpeaker)) {
    throw new NoEligibleSpeaker(
      `Last speaker ${lastSpeaker.name} is not in the allowed_speaker_transitions_dict.`,
    );
  }
  const left = eligible ? capable.filter((agent) => eligible.includes(agent)) : [];
  if (left.length === 1) return settled(left[0] as Agent);
  return { kind: 'open', method, agents: left.length === 0 ? agents : left };
}

async function chosenBy(
  method: SpeakerSelector,
  groupchat: GroupChat,
  lastSpeaker: Agent,
): Promise<Agent | string> {
  const chosen: unknown = await method(lastSpeaker, groupchat);
  if (chosen === null || chosen === undefined) {
    throw new NoEligibleSpeaker(
      'Custom speaker selection function returned None. Terminating conversation.',
    );
  }
  if (typeof chosen === 'string') return chosen;
  if (!isAgent(chosen)) {
    throw invalidValue(
      `Custom speaker selection function returned an object of type ${typeText(chosen)} instead of Agent or str.`,
    );
  }
  if (groupchat.agents.includes(chosen)) return chosen;
  throw invalidValue(
    `Custom speaker selection function returned an agent ${chosen.name} not in the group chat.`,
  );
}

function checkMethod(method: string): SpeakerSelectionMethod {
  const known = methods.find((name) => name === method.toLowerCase());
  if (known) return known;
  throw invalidValue(
    `GroupChat speaker_selection_method is set to '${method}'. It should be one of ['auto', 'manual', 'random', 'round_robin'] (case insensitive). `,
  );
}

function repeatAllowed(groupchat: GroupChat, lastSpeaker: Agent): boolean | null {
  const { allowRepeatSpeaker } = groupchat;
  return Array.isArray(allowRepeatSpeaker)
    ? allowRepeatSpeaker.includes(lastSpeaker)
    : (allowRepeatSpeaker as boolean | null);
}

function checkPopulation(agents: readonly Agent[]): void {
  if (agents.length >= 2) return;
  throw invalidValue(
    `GroupChat is underpopulated with ${agents.length} agents. Please add more agents to the GroupChat or use direct communication instead.`,
  );
}

const twoAgents =
  'GroupChat is underpopulated with 2 agents: let speakers not repeat, use round_robin, or have the two talk directly.';

/** The members that can execute the calls of the last message; all members when it has none. */
function executors({ agents, funcCallFilter, messages }: GroupChat): readonly Agent[] {
  const last = messages.at(-1);
  if (!funcCallFilter || !last || !('function_call' in last || 'tool_calls' in last)) return agents;
  const names = askedFunctions(last);
  const able = agents.filter((agent) => hasFunctions(agent, names));
  if (able.length > 0) return able;
  const equipped = agents.filter((agent) => functionMap(agent).size > 0);
  if (equipped.length > 0) return equipped;
  throw invalidValue(
    `No agent can execute the function ${names.join(', ')}. Please check the function_map of the agents.`,
  );
}

function askedFunctions({ function_call: call, tool_calls: calls }: ChatMessage): string[] {
  const names = call ? [call.name ?? ''] : [];
  for (const { type, function: asked } of calls ?? []) {
    if (type === undefined || type === 'function') names.push(asked.name ?? '');
  }
  return names;
}

function hasFunctions(agent: Agent, names: readonly string[]): boolean {
  const functions = functionMap(agent);
  return names.every((name) => functions.has(name));
}

function functionMap(agent: Agent): ReadonlyMap<string, unknown> {
  const functions = 'functionMap' in agent ? agent.functionMap : null;
  return functions instanceof Map ? functions : new Map();
}

function settled(speaker: Agent): Candidates {
  return { kind: 'settled', speaker };
}
