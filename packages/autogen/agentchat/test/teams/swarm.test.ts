import {
  HandoffMessage,
  HandoffTermination,
  type Response,
  RuntimeError,
  Swarm,
  ValueError,
} from '@teamfuse/agentchat';
import { describe, expect, it } from 'vitest';
import { handoff } from '../said.ts';
import { ScriptedAgent, transcript } from './scripted-agent.ts';
import { answer } from './stream-agent.ts';

class SwarmAgent extends ScriptedAgent {
  override readonly producedMessageTypes = [HandoffMessage];
}

const to = (target: string, source: string): Response => ({ chatMessage: handoff(target, source) });

describe('Swarm', () => {
  it('[SWARM1] lets the target of the latest handoff speak', async () => {
    const a = new SwarmAgent('a', to('b', 'a'), 'a2');
    const b = new SwarmAgent('b', 'b1', to('a', 'b'));
    const { messages } = await new Swarm([a, b], { maxTurns: 4 }).run({ task: 'go' });
    expect(messages.map(({ source }) => source)).toEqual(['user', 'a', 'b', 'b', 'a']);
  });

  it('[SWARM1] follows a handoff in an inner message', async () => {
    const a = new SwarmAgent('a', answer('a1', 'a', [handoff('b', 'a')]));
    const team = new Swarm([a, new SwarmAgent('b', 'b1')], { maxTurns: 2 });
    expect(transcript((await team.run({ task: 'go' })).messages)).toEqual([
      'user: go',
      'a: over to b',
      'a: a1',
      'b: b1',
    ]);
  });

  it('[SWARM1] fails on a handoff to an unknown target that no condition stopped', async () => {
    const team = new Swarm([new SwarmAgent('a', to('ghost', 'a'))]);
    await expect(team.run({ task: 'go' })).rejects.toThrow(new RuntimeError('AssertionError: '));
  });

  it('[SWARM2] goes on after a handoff to a person with a handoff to a participant', async () => {
    const a = new SwarmAgent('a', to('user', 'a'), 'thanks');
    const team = new Swarm([a], {
      terminationCondition: new HandoffTermination('user').or(new HandoffTermination('a')),
      maxTurns: 1,
    });
    const { stopReason } = await team.run({ task: 'go' });
    expect(stopReason).toBe('Handoff to user from a detected.');

    const resume = team.run({ task: 'plain words' });
    await expect(resume).rejects.toThrow(ValueError);
    await expect(resume).rejects.toThrow(
      "The existing handoff target user is not one of the participants ['a'].",
    );
    await expect(team.run({ task: handoff('ghost', 'user') })).rejects.toThrow(
      "The target ghost is not one of the participants ['a'].",
    );

    const { messages } = await team.run({ task: handoff('a', 'user') });
    expect(transcript(messages)).toEqual(['user: over to a']);
    // The refused tasks were not delivered.
    await team.run();
    expect(a.received).toEqual([['go'], ['over to a']]);
  });

  it('[STATE2] takes the current speaker over', async () => {
    const make = (): Swarm =>
      new Swarm([new SwarmAgent('a', to('b', 'a')), new SwarmAgent('b', 'b1')], { maxTurns: 1 });
    const [first, second] = [make(), make()];
    await first.run({ task: 'go' });
    await first.run();
    await second.loadState(await first.saveState());
    expect(await second.saveState()).toMatchObject({
      agent_states: { SwarmGroupChatManager: { type: 'SwarmManagerState', current_speaker: 'b' } },
    });
    expect(transcript((await second.run()).messages)).toEqual(['b: b1']);
    await second.reset();
    expect(transcript((await second.run({ task: 'new' })).messages).at(-1)).toBe('a: over to b');
  });
});
