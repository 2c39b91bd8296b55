import {
  type Agent,
  GroupChat,
  GroupChatManager,
  type GroupChatOptions,
  type SpeakerSelector,
} from '@teamfuse/groupchat';
import { camelCase } from '../script/camel-case.ts';
import { raised } from '../script/raised-error.ts';
import { ScriptSource } from '../script/script-source.ts';
import type { World } from '../script/world.ts';
import type { GroupSpec, SelectorItem } from '../vector.ts';
import { agentOptions } from './build-agent.ts';

const plainFields: Readonly<Record<string, keyof GroupChatOptions>> = {
  messages: 'messages',
  max_round: 'maxRound',
  admin_name: 'adminName',
  func_call_filter: 'funcCallFilter',
  max_retries_for_selecting_speaker: 'maxRetriesForSelectingSpeaker',
  enable_clear_history: 'enableClearHistory',
  send_introductions: 'sendIntroductions',
  select_speaker_message_template: 'selectSpeakerMessageTemplate',
  select_speaker_prompt_template: 'selectSpeakerPromptTemplate',
  select_speaker_auto_multiple_template: 'selectSpeakerAutoMultipleTemplate',
  select_speaker_auto_none_template: 'selectSpeakerAutoNoneTemplate',
  role_for_select_speaker_messages: 'roleForSelectSpeakerMessages',
  select_speaker_auto_verbose: 'selectSpeakerAutoVerbose',
  select_speaker_transform_messages: 'selectSpeakerTransformMessages',
  transitions_type: 'speakerTransitionsType',
};

/** Builds a group and its manager and takes them into the world. */
export async function buildGroup(world: World, spec: GroupSpec): Promise<void> {
  const { manager = {}, name } = spec;
  const groupchat = new ScriptedGroupChat(world, spec);
  const options = await agentOptions(world, name, manager);
  const { llmConfig } = options;
  const extended = llmConfig ? { llmConfig: { ...llmConfig, ...manager.llm_extra } } : {};
  const silent = manager.silent === undefined ? {} : { silent: manager.silent };
  const built = new GroupChatManager({ ...options, ...extended, ...silent, name, groupchat });
  world.groups.set(name, groupchat);
  world.add(built);
}

/** Sets a field of a group that is already at work. */
export function setGroupField(world: World, name: string, field: string, value: unknown): void {
  const key = plainFields[field] ?? camelCase(field);
  Reflect.set(world.group(name), key, toAgents(world, value));
}

class ScriptedGroupChat extends GroupChat {
  readonly #world: World;
  readonly #draw: { fraction: number };

  constructor(world: World, spec: GroupSpec) {
    const draw = { fraction: 0 };
    super({ ...groupOptions(world, spec), random: () => draw.fraction });
    this.#world = world;
    this.#draw = draw;
  }

  override randomSelectSpeaker(agents: readonly Agent[] = this.agents): Agent {
    const candidates = agents.map(({ name }) => name);
    const index = candidates.indexOf(this.#world.random.next());
    this.#draw.fraction = (index + 0.5) / candidates.length;
    const chosen = super.randomSelectSpeaker(agents);
    this.#world.recorder.note({ ev: 'random', candidates, choice: chosen.name, index });
    return chosen;
  }
}

function groupOptions(world: World, spec: GroupSpec): GroupChatOptions {
  const options: Record<string, unknown> = {
    agents: spec.members.map((member) => world.agent(member)),
  };
  for (const [field, option] of Object.entries(plainFields)) {
    if (field in spec) options[option] = structuredClone(spec[field]);
  }
  const { speaker_selection_method: method, select_speaker_auto_model: model } = spec;
  if (method !== undefined) {
    options.speakerSelectionMethod =
      typeof method === 'string' ? method : selector(world, spec.name, method);
  }
  if (model !== undefined) options.selectSpeakerAutoLlmConfig = world.models.config(model);
  if ('allow_repeat_speaker' in spec) {
    options.allowRepeatSpeaker = toAgents(world, spec.allow_repeat_speaker);
  }
  if ('transitions' in spec) {
    options.allowedOrDisallowedSpeakerTransitions = toGraph(world, spec.transitions);
  }
  return options as unknown as GroupChatOptions;
}

function selector(
  world: World,
  group: string,
  spec: Exclude<GroupSpec['speaker_selection_method'], string | undefined>,
): SpeakerSelector {
  const source = new ScriptSource<SelectorItem>(spec.script, spec.then);
  return (last, groupchat) => {
    const item = spec.map
      ? (spec.map[last.name] ?? { end: true })
      : (source.next() ?? { end: true });
    world.recorder.note({
      ev: 'selector',
      group,
      last: last.name,
      n: groupchat.messages.length,
      returns: typeof item === 'string' ? { agent: item } : item,
    });
    return selected(world, item);
  };
}

function selected(world: World, item: SelectorItem): Agent | string | null {
  if (typeof item === 'string') return world.agent(item);
  if ('agent' in item) return world.agent(item.agent);
  if ('method' in item) return item.method;
  if ('raise' in item) throw raised(item.raise);
  return 'bad' in item ? (item.bad as string) : null;
}

// Lists of names stand for lists of agents; anything else is meant as it is, also where it is wrong.
function toAgents(world: World, value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((item) => world.agents.get(item) ?? item);
}

function toGraph(world: World, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return new Map(
    Object.entries(value).map(([name, targets]) => [
      world.agents.get(name) ?? name,
      toAgents(world, targets),
    ]),
  );
}
