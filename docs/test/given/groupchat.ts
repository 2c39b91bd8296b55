import { ConversableAgent, GroupChat, GroupChatManager, UserProxyAgent } from '@teamfuse/groupchat';
import { ReplayChatCompletionClient } from '@teamfuse/models';

/** The agents of documents about AutoGen 0.2. */
export const researcher: ConversableAgent = speaking('researcher');
export const writer: ConversableAgent = speaking('writer');
export const critic: ConversableAgent = speaking('critic');
export const assistant: ConversableAgent = new ConversableAgent({
  name: 'assistant',
  llmConfig: { client: new ReplayChatCompletionClient(['Fine.', 'Fine.']) },
});
export const agent: ConversableAgent = speaking('agent');
export const user: UserProxyAgent = new UserProxyAgent({ name: 'user', humanInputMode: 'NEVER' });
export const manager: GroupChatManager = new GroupChatManager({
  silent: true,
  groupchat: new GroupChat({
    agents: [researcher, writer, critic],
    maxRound: 4,
    speakerSelectionMethod: 'round_robin',
  }),
});

function speaking(name: string): ConversableAgent {
  const defaultAutoReply = `This is what the ${name} has to say.`;
  return new ConversableAgent({ name, defaultAutoReply, humanInputMode: 'NEVER' });
}
