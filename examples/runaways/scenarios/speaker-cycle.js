import { guardAgents } from '@teamfuse/adapter-groupchat';
import { AssistantAgent, GroupChat, GroupChatManager } from '@teamfuse/groupchat';

/** Researcher and writer hand a draft back and forth in a group chat. */
export const speakerCycle = {
  name: 'speaker-cycle',
  title: 'researcher ↔ writer, group chat',
  kind: 'speaker-cycle',
  async run({ clientFor, isTwin, breaker }) {
    const variant = isTwin ? 'healthy' : 'looping';
    const [researcher, writer] = ['researcher', 'writer'].map(
      (name) =>
        new AssistantAgent({ name, llmConfig: { client: clientFor(`${name}-${variant}`) } }),
    );
    const groupchat = new GroupChat({
      agents: [researcher, writer],
      maxRound: 60,
      speakerSelectionMethod: 'round_robin',
    });
    const manager = new GroupChatManager({ groupchat, silent: true, isTerminationMsg: endsIt });
    if (breaker) guardAgents([researcher, writer, manager], breaker);
    await researcher.initiateChat(manager, {
      message: 'Please write a short introduction to tidal power for our readers.',
      silent: true,
    });
    return groupchat.messages.length;
  },
};

function endsIt({ content }) {
  return typeof content === 'string' && content.endsWith('TERMINATE');
}
