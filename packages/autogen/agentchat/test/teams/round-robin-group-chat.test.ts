import {
  MaxMessageTermination,
  RoundRobinGroupChat,
  TextMentionTermination,
  when,
} from '@teamfuse/agentchat';
import { describe, expect, it } from 'vitest';
import { ScriptedAgent, transcript } from './scripted-agent.ts';

describe('RoundRobinGroupChat', () => {
  it('[RR1] asks its participants in turn and goes on after the last one in the next run', async () => {
    const team = new RoundRobinGroupChat(
      [new ScriptedAgent('a', '1', '2'), new ScriptedAgent('b', 'x')],
      {
        terminationCondition: when`${new MaxMessageTermination(2)} | ${new TextMentionTermination('TERMINATE')}`,
      },
    );

    const first = await team.run({ task: 'go' });
    const second = await team.run();

    expect(transcript(first.messages)).toEqual(['user: go', 'a: 1']);
    expect(first.stopReason).toBe('Maximum number of messages 2 reached, current message count: 2');
    expect(transcript(second.messages)).toEqual(['b: x', 'a: 2']);
  });
});
