import { guardAgents } from '@teamfuse/adapter-groupchat';
import { AssistantAgent, GroupChat, GroupChatManager } from '@teamfuse/groupchat';

/** Researcher and writer hand a draft back and forth in a group chat. */
export const speakerCycle = draftingFor(60, 'speaker-cycle', 'researcher ↔ writer');

/** The same, in a chat that ends by itself after 15 messages. */
export const shortSpeakerCycle = draftingFor(15, 'short-speaker-cycle', 'the same, 15 messages');

function draftingFor(maxRound, name, title) {
  return {
    name,
    title,
    kinds: ['speaker-cycle'],
    run: (options) => draft(maxRound, options),
  };
}

async function draft(maxRound, { clientFor, isTwin, breaker, judge }) {
  const variant = isTwin ? 'healthy' : 'looping';
  const [researcher, writer] = ['researcher', 'writer'].map(
    (name) => new AssistantAgent({ name, llmConfig: { client: clientFor(`${name}-${variant}`) } }),
  );
  const groupchat = new GroupChat({
    agents: [researcher, writer],
    maxRound,
    speakerSelectionMethod: 'round_robin',
  });
  const manager = new GroupChatManager({ groupchat, silent: true, isTerminationMsg: endsIt });
  if (breaker) guardAgents([researcher, writer, manager], breaker, { judge });
  await researcher.initiateChat(manager, {
    message: 'Please write a short introduction to tidal power for our readers.',
    silent: true,
  });
  return groupchat.messages.length;
}

function endsIt({ content }) {
  return typeof content === 'string' && content.endsWith('TERMINATE');
}
