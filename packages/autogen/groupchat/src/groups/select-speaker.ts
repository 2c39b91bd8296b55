import type { ConversableAgent } from '../agents/conversable-agent.ts';
import type { Agent } from '../messages/agent.ts';
import { autoSelectSpeaker } from './auto-selection.ts';
import type { GroupChat } from './group-chat.ts';
import { manualSelectSpeaker } from './manual-selection.ts';
import { speakerCandidates } from './speaker-candidates.ts';

/** Chooses who speaks next in a group; `selector` lends its model and its console. */
export async function selectSpeaker(
  groupchat: GroupChat,
  lastSpeaker: Agent,
  selector: ConversableAgent,
): Promise<Agent> {
  const candidates = await speakerCandidates(groupchat, lastSpeaker, (text) =>
    selector.io.warn(text),
  );
  if (candidates.kind === 'settled') return candidates.speaker;
  const { method, agents } = candidates;
  switch (method) {
    case 'round_robin':
      return groupchat.nextAgent(lastSpeaker, agents);
    case 'random':
      return groupchat.randomSelectSpeaker(agents);
    case 'manual':
      return (await manualSelectSpeaker(agents, selector)) ?? groupchat.nextAgent(lastSpeaker);
    case 'auto':
      return autoSelectSpeaker(groupchat, lastSpeaker, selector, agents);
  }
}
