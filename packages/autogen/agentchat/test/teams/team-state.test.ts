import { type JsonObject, RoundRobinGroupChat, ValueError } from '@teamfuse/agentchat';
import { describe, expect, it } from 'vitest';
import { RecordingCondition } from './recording-condition.ts';
import { ScriptedAgent, transcript } from './scripted-agent.ts';

const make = (): RoundRobinGroupChat =>
  new RoundRobinGroupChat([new ScriptedAgent('a', '1'), new ScriptedAgent('b', 'x')], {
    maxTurns: 1,
  });

describe('the state of a team', () => {
  it('[STATE1] is the JSON of AutoGen: participants by name, then the manager', async () => {
    const team = make();
    await team.run({ task: 'go' });
    const said = { source: 'user', content: 'go', type: 'TextMessage' };
    expect(await team.saveState()).toMatchObject({
      type: 'TeamState',
      version: '1.0.0',
      agent_states: {
        a: {
          type: 'ChatAgentContainerState',
          version: '1.0.0',
          agent_state: { type: 'BaseState', version: '1.0.0' },
          message_buffer: [],
        },
        b: { message_buffer: [said, { source: 'a', content: '1' }] },
        RoundRobinGroupChatManager: {
          type: 'RoundRobinManagerState',
          version: '1.0.0',
          message_thread: [said, { source: 'a', content: '1' }],
          current_turn: 0,
          next_speaker_index: 1,
        },
      },
    });
  });

  it('[STATE1] can be saved before the first run', async () => {
    expect(await make().saveState()).toMatchObject({ agent_states: { a: { message_buffer: [] } } });
  });

  it('[STATE1] does not hold the condition', async () => {
    const condition = new RecordingCondition();
    const agent = new ScriptedAgent('a', '1');
    const team = new RoundRobinGroupChat([agent], { terminationCondition: condition, maxTurns: 1 });
    expect(JSON.stringify(await team.saveState())).not.toContain('ondition');
  });

  it('[STATE2] loads into another team of the same names, which then goes on', async () => {
    const first = make();
    await first.run({ task: 'go' });
    const second = make();
    await second.loadState(await first.saveState());
    expect(transcript((await second.run()).messages)).toEqual(['b: x']);
    expect((second.participants[1] as ScriptedAgent).received).toEqual([['go', '1']]);
  });

  it.each<[string, JsonObject, string]>([
    ['AER15', {}, 'Agent state for a not found in the saved state.'],
    [
      'AER15',
      { agent_states: { a: { agent_state: {} }, b: { agent_state: {} } } },
      'Agent state for RoundRobinGroupChatManager not found in the saved state.',
    ],
    ['AER16', { agent_states: [1] }, 'Invalid state format.'],
    ['AER16', { agent_states: { a: { agent_state: 'x' } } }, 'Invalid state format.'],
    [
      'MSG1',
      {
        agent_states: {
          a: {
            agent_state: {},
            message_buffer: [{ type: 'ThoughtEvent', source: 'b', content: 'x' }],
          },
        },
      },
      "Invalid message type in message buffer: <class 'ThoughtEvent'>",
    ],
    [
      'MSG6',
      { agent_states: { a: { agent_state: {}, message_buffer: [{ type: 'Mystery' }] } } },
      'Unknown message type: Mystery',
    ],
  ])('[%s] refuses %j', async (_id, state, message) => {
    const team = make();
    const load = team.loadState(state);
    await expect(load).rejects.toThrow(ValueError);
    await expect(load).rejects.toThrow(message);
    expect((await team.run({ task: 'go' })).messages).toHaveLength(2);
  });
});

describe('reset', () => {
  it('[RR1] lets the first participant begin again, and forgets what was said', async () => {
    const condition = new RecordingCondition();
    const members = [new ScriptedAgent('a', '1'), new ScriptedAgent('b', 'x')];
    const team = new RoundRobinGroupChat(members, { maxTurns: 1, terminationCondition: condition });
    await team.run({ task: 'go' });
    await team.reset();
    expect(condition.resets).toBe(2);
    const { messages } = await team.run({ task: 'new' });
    expect(transcript(messages)).toEqual(['user: new', 'a: 1']);
    await team.run();
    expect(members[1]?.received).toEqual([['new', '1']]);
  });
});
