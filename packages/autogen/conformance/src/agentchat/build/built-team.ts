import {
  type BaseGroupChat,
  type ChatAgent,
  type GroupChatOptions,
  RoundRobinGroupChat,
  SelectorGroupChat,
  Swarm,
} from '@teamfuse/agentchat';
import { messageClass } from '../messages/given-message.ts';
import { WatchedCondition } from '../script/watched-condition.ts';
import type { TeamSpec } from '../vector.ts';
import type { Builder } from './builder.ts';
import { buildCondition } from './built-conditions.ts';
import { selectorOptions } from './selector-options.ts';

/** Makes a team from its description. */
export function buildTeam(spec: TeamSpec, path: string, builder: Builder): BaseGroupChat {
  const { world } = builder;
  const participants = spec.participants.map((member) => builder.participant(member, path));
  const options: GroupChatOptions = {
    name: spec.name,
    description: spec.description,
    terminationCondition: condition(spec, path, builder),
    maxTurns: spec.max_turns,
    emitTeamEvents: spec.emit_team_events,
    customMessageTypes: spec.custom_message_types?.map(messageClass),
  };
  switch (spec.kind) {
    case 'RoundRobinGroupChat':
      return new RoundRobinGroupChat(participants, options);
    case 'SelectorGroupChat':
      return new SelectorGroupChat(participants, {
        ...options,
        ...selectorOptions(spec, path, world),
      });
    case 'Swarm':
      // Some vectors put a team into a swarm to see it refused.
      return new Swarm(participants as ChatAgent[], options);
  }
}

function condition(
  { termination }: TeamSpec,
  path: string,
  { world, named, isWatching }: Builder,
): GroupChatOptions['terminationCondition'] {
  if (termination === undefined) return undefined;
  const { clock, registry } = world;
  const made = buildCondition(termination, { clock, registry, named });
  world.conditions.set(path, made);
  return isWatching ? new WatchedCondition(made, path, world) : made;
}
