import { type ConversableAgent, GroupChatManager } from '@teamfuse/groupchat';
import type { Json } from '../../harness/json.ts';
import { row } from '../script/rows.ts';
import type { World } from '../script/world.ts';

/** The objects of a case as vectors write them at its end, empty parts left out. */
export function finalState(world: World): Json {
  const agents = [...world.agents].map(([name, agent]) => [name, agentState(agent)] as const);
  const groups = [...world.groups].map(
    ([name, { messages }]) => [name, messages.map(row)] as const,
  );
  return {
    agents: filled(agents),
    groups: filled(groups),
  };
}

function agentState(agent: ConversableAgent): Json {
  const chats = [...agent.chatMessages].map(
    ([peer, history]) => [peer?.name ?? '<none>', history.map(row)] as const,
  );
  const counters = [...agent.autoReplies.counts()].flatMap(([peer, count]) =>
    count > 0 ? [[peer?.name ?? '<none>', count] as const] : [],
  );
  const answered = [...agent.replyAtReceive].flatMap(([peer, isOn]) => (isOn ? [peer.name] : []));
  const lastSpeaker = agent instanceof GroupChatManager ? agent.lastSpeaker?.name : undefined;
  return filled([
    ['chats', filled(chats)],
    ['counters', Object.fromEntries(counters)],
    ['reply_at_receive', answered.sort()],
    ['human_input', [...agent.humanInputs]],
    ...(lastSpeaker === undefined ? [] : [['last_speaker', lastSpeaker] as const]),
  ]);
}

/** The object without its empty parts. */
function filled(parts: readonly (readonly [string, Json])[]): { [key: string]: Json } {
  return Object.fromEntries(
    parts.filter(
      ([, part]) => typeof part !== 'object' || part === null || Object.keys(part).length > 0,
    ),
  );
}

/** Expected data of the same form without its empty parts. */
export function withoutEmptyParts(part: unknown): Json {
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return part as Json;
  return filled(Object.entries(part).map(([key, inner]) => [key, withoutEmptyParts(inner)]));
}
