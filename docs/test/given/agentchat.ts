import { AssistantAgent, MaxMessageTermination, RoundRobinGroupChat } from '@teamfuse/agentchat';
import { type ModelInfo, ReplayChatCompletionClient } from '@teamfuse/models';

/** The agents, the models and the team of documents about AutoGen 0.4. */
const replies = ['Rain.', 'Rain on zinc.', 'Rain on zinc, and then the sun.', 'APPROVE'];
const modelInfo: ModelInfo = {
  vision: false,
  functionCalling: true,
  jsonOutput: true,
  structuredOutput: true,
  family: 'unknown',
};
const no = { answer: false, reason: 'It is not.' };
const ledger = {
  is_request_satisfied: { answer: true, reason: 'The building is found.' },
  is_in_loop: no,
  is_progress_being_made: no,
  instruction_or_question: { answer: '', reason: '' },
  next_speaker: { answer: 'surfer', reason: '' },
};

export const modelClient: ReplayChatCompletionClient = replaying();
/** Plans, and finds that all is done. */
export const planningClient: ReplayChatCompletionClient = new ReplayChatCompletionClient(
  ['What is known.', 'What to do.', JSON.stringify(ledger), 'The Chrysler Building.'],
  { modelInfo },
);
export const writer: AssistantAgent = speaking('writer');
export const critic: AssistantAgent = speaking('critic');
export const primary: AssistantAgent = speaking('primary');
export const poet: AssistantAgent = speaking('poet');
export const editor: AssistantAgent = speaking('editor');
export const reviewer: AssistantAgent = speaking('reviewer');
export const publisher: AssistantAgent = speaking('publisher');
export const researcher: AssistantAgent = speaking('researcher');
export const planner: AssistantAgent = speaking('planner', ['researcher', 'user']);
export const surfer: AssistantAgent = speaking('surfer');
export const coder: AssistantAgent = speaking('coder');
export const team: RoundRobinGroupChat = new RoundRobinGroupChat(
  [speaking('author'), speaking('reader')],
  { terminationCondition: new MaxMessageTermination(4) },
);

function replaying(): ReplayChatCompletionClient {
  return new ReplayChatCompletionClient(
    Array.from({ length: 30 }, (_, i) => replies[i % replies.length] ?? ''),
    { modelInfo },
  );
}

function speaking(name: string, handoffs: readonly string[] = []): AssistantAgent {
  return new AssistantAgent(name, { modelClient: replaying(), handoffs });
}
