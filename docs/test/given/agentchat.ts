import { AssistantAgent, MaxMessageTermination, RoundRobinGroupChat } from '@teamfuse/agentchat';
import { ReplayChatCompletionClient } from '@teamfuse/models';

/** The agents, the model and the team of documents about AutoGen 0.4. */
const replies = ['Rain.', 'Rain on zinc.', 'Rain on zinc, and then the sun.', 'APPROVE'];

export const modelClient: ReplayChatCompletionClient = replaying();
export const writer: AssistantAgent = speaking('writer');
export const critic: AssistantAgent = speaking('critic');
export const primary: AssistantAgent = speaking('primary');
export const poet: AssistantAgent = speaking('poet');
export const editor: AssistantAgent = speaking('editor');
export const reviewer: AssistantAgent = speaking('reviewer');
export const publisher: AssistantAgent = speaking('publisher');
export const team: RoundRobinGroupChat = new RoundRobinGroupChat(
  [speaking('author'), speaking('reader')],
  { terminationCondition: new MaxMessageTermination(4) },
);

function replaying(): ReplayChatCompletionClient {
  return new ReplayChatCompletionClient(Array.from({ length: 30 }, (_, i) => replies[i % 4] ?? ''));
}

function speaking(name: string): AssistantAgent {
  return new AssistantAgent(name, { modelClient: replaying() });
}
