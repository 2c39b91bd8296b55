import { BreakerTermination, guardTeam } from '@teamfuse/adapter-agentchat';
import {
  AssistantAgent,
  MaxMessageTermination,
  RoundRobinGroupChat,
  TextMentionTermination,
  when,
} from '@teamfuse/agentchat';

/** The researcher and the writer again, as a 0.4 style team under composed conditions. */
export const roundRobin = {
  name: 'round-robin',
  title: 'researcher ↔ writer, 0.4',
  kinds: ['speaker-cycle'],
  async run({ clientFor, isTwin, breaker, judge }) {
    const variant = isTwin ? 'healthy' : 'looping';
    const participants = ['writer', 'researcher'].map(
      (name) => new AssistantAgent(name, { modelClient: clientFor(`${name}-${variant}`) }),
    );
    const ends = when`${new MaxMessageTermination(60)} | ${new TextMentionTermination('TERMINATE')}`;
    const team = new RoundRobinGroupChat(participants, {
      terminationCondition: breaker ? when`${ends} | ${new BreakerTermination(breaker)}` : ends,
    });
    if (breaker) guardTeam(team, breaker, { judge });
    const { messages } = await team.run({
      task: 'Please write a short introduction to tidal power for our readers.',
    });
    return messages.length;
  },
};
