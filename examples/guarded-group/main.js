import { guardAgents } from '@teamfuse/adapter-groupchat';
import { Breaker } from '@teamfuse/core';
import { AssistantAgent, GroupChat, GroupChatManager } from '@teamfuse/groupchat';
import { OpenAIChatCompletionClient } from '@teamfuse/models';
import { startModelServer } from './model-server.js';

const EXPECTED = "stopped by repetition, the manager's calls counted, nothing sent after the stop";

const server = await startModelServer();
const client = (model) =>
  new OpenAIChatCompletionClient({ model, baseURL: server.baseURL, apiKey: 'none' });

const [researcher, writer, critic] = ['researcher', 'writer', 'critic'].map(
  (name) =>
    new AssistantAgent({
      name,
      systemMessage: `You are the ${name}.`,
      llmConfig: { client: client(name), price: [0.0025, 0.01] },
    }),
);
const groupchat = new GroupChat({
  agents: [researcher, writer, critic],
  maxRound: 60,
  speakerSelectionMethod: 'auto',
});
const manager = new GroupChatManager({
  groupchat,
  silent: true,
  llmConfig: { client: client('manager'), price: [0.0025, 0.01] },
});

const breaker = new Breaker({ budget: { maxUsd: 1 } });
const seen = { selections: 0, usage: 0 };
breaker.on('signal', ({ signal }) => {
  if (signal.kind === 'selection') seen.selections++;
  if (signal.kind === 'usage') seen.usage++;
});
let callsAtTheStop;
breaker.on('trip', (trip) => {
  callsAtTheStop = total();
  console.log(`${trip.reason} (turn ${groupchat.messages.length})`);
});

guardAgents([researcher, writer, critic, manager], breaker, { judge: false });
await researcher.initiateChat(manager, {
  message: 'We need a short introduction to tidal power.',
  silent: true,
});
await server.close();

function total() {
  return Object.values(server.calls).reduce((sum, count) => sum + count, 0);
}

const { manager: managerCalls, ...others } = server.calls;
console.log(
  `calls: ${managerCalls} by the manager, ${total() - managerCalls} by ${Object.keys(others).join(', ')}`,
);
const isCounted = managerCalls > 0 && seen.selections >= managerCalls && seen.usage === total();
const last = [
  `stopped by ${breaker.conversation().trip?.kind}`,
  isCounted ? "the manager's calls counted" : 'calls were missed',
  callsAtTheStop === total() ? 'nothing sent after the stop' : 'calls were sent after the stop',
].join(', ');
console.log(last);
process.exitCode = last === EXPECTED ? 0 : 1;
