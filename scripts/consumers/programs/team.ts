import { BreakerTermination, guardTeam } from '@teamfuse/adapter-agentchat';
import { AssistantAgent, RoundRobinGroupChat } from '@teamfuse/agentchat';
import { Breaker, type Trip } from '@teamfuse/core';
import { ReplayChatCompletionClient } from '@teamfuse/models';

const says = (name: string, text: string): AssistantAgent =>
  new AssistantAgent(name, {
    modelClient: new ReplayChatCompletionClient(Array.from({ length: 40 }, () => text)),
  });

const trips: Trip[] = [];
const breaker = new Breaker({ budget: { maxUsd: 6 } });
breaker.on('trip', (trip) => trips.push(trip));

const team = new RoundRobinGroupChat(
  [
    says('writer', 'Here is the draft again, please review it.'),
    says('critic', 'It is not good enough, please revise it.'),
  ],
  { terminationCondition: new BreakerTermination(breaker) },
);
const guard = guardTeam(team, breaker);
const { messages, stopReason } = await team.run({ task: 'Write a poem.' });
guard.uninstall();
console.log(
  `${trips[0]?.kind} after ${messages.length} messages, stop reason: ${stopReason !== null}`,
);
