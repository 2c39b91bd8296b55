import { describe, expect, test } from 'vitest';
import {
  Agent,
  GroupChat,
  GroupChatManager,
  type GroupChatOptions,
  type ReplyFunction,
  type SpeakerSelector,
} from '../../src/index.ts';
import { lines, speaker, TestIO } from '../cast.ts';

const a = speaker('A');
const b = speaker('B');
const c = speaker('C');

async function second(
  options: Partial<GroupChatOptions>,
  io = new TestIO(),
  agents: readonly Agent[] = [a, b, c],
) {
  const groupchat = new GroupChat({ agents, maxRound: 2, ...options });
  const manager = new GroupChatManager({ groupchat, io, silent: true });
  await speaker('opener').initiateChat(manager, { message: 'x' });
  return groupchat.messages[1]?.name;
}

describe('the methods', () => {
  test('[SPC3] round_robin, however it is written', async () => {
    expect(await second({ speakerSelectionMethod: 'Round_Robin' })).toBe('A');
  });

  test.each([
    [0, 'A'],
    [0.5, 'B'],
    [0.99, 'C'],
  ])('[SPC3] random draws %d as %s', async (drawn, expected) => {
    expect(await second({ speakerSelectionMethod: 'random', random: () => drawn })).toBe(expected);
  });

  test.each<[string, string[], string]>([
    ['a number', ['2'], 'B'],
    ['a bad answer and a number', ['9', '3'], 'C'],
    ['nothing', [''], 'A'],
    ['q', ['q'], 'A'],
    ['two bad answers', ['x', '0'], 'A'],
  ])('[SPC3] manual: %s', async (_what, answers, expected) => {
    const io = new TestIO(...answers);
    expect(await second({ speakerSelectionMethod: 'manual' }, io)).toBe(expected);
    expect(io.prompts).toHaveLength(answers.length);
    expect(io.printed).toContain('2: B');
  });

  test('[SPC3] a function chooses an agent over the head of all rules', async () => {
    const selector: SpeakerSelector = (last, groupchat) => {
      expect([last.name, groupchat.messages.length]).toEqual(['opener', 1]);
      return c;
    };
    const none = {
      allowedOrDisallowedSpeakerTransitions: new Map(),
      speakerTransitionsType: 'allowed',
    };
    expect(await second({ speakerSelectionMethod: selector, ...none })).toBe('C');
  });

  test('[SPC3] a function may name a method', async () => {
    expect(await second({ speakerSelectionMethod: () => 'round_robin' })).toBe('A');
  });

  test.each<[unknown, string]>([
    [
      5,
      "Custom speaker selection function returned an object of type <class 'int'> instead of Agent or str.",
    ],
    [speaker('X'), 'Custom speaker selection function returned an agent X not in the group chat.'],
    [
      'robin',
      "GroupChat speaker_selection_method is set to 'robin'. It should be one of ['auto', 'manual', 'random', 'round_robin'] (case insensitive). ",
    ],
  ])('[SPC3] a function may not answer %s', async (answer, message) => {
    const chat = second({ speakerSelectionMethod: () => answer as Agent });
    await expect(chat).rejects.toThrow(message);
  });

  test.each([[[]], [[a]]])('[SPC3] %j are too few', async (agents) => {
    const chat = second({ speakerSelectionMethod: 'round_robin' }, new TestIO(), agents);
    await expect(chat).rejects.toThrow(`GroupChat is underpopulated with ${agents.length} agents.`);
  });

  test('[SPC4] without a model the next in the ring speaks', async () => {
    expect(await second({ speakerSelectionMethod: 'auto' })).toBe('A');
  });

  test('[SPC4] a template with an unknown key is an error', async () => {
    const chat = second({ selectSpeakerPromptTemplate: '{agents}' });
    await expect(chat).rejects.toThrow('the template has no value for {agents}.');
  });
});

describe('the transition graph', () => {
  const run = async (graph: Map<Agent, readonly Agent[]>) => {
    const groupchat = new GroupChat({
      agents: [a, b, c],
      maxRound: 4,
      speakerSelectionMethod: 'round_robin',
      allowedOrDisallowedSpeakerTransitions: graph,
      speakerTransitionsType: 'allowed',
    });
    const manager = new GroupChatManager({ groupchat, io: new TestIO(), silent: true });
    await a.initiateChat(manager, { message: 'x' });
    return lines(groupchat.messages).map((line) => line[0]);
  };

  test('[SPC2] a last speaker that is no key ends the run', async () => {
    expect(await run(new Map([[a, [c]]]))).toEqual(['A', 'C']);
  });

  test('[SPC2] an empty list means everybody', async () => {
    expect(
      await run(
        new Map([
          [a, [c]],
          [c, []],
          [b, [a]],
        ]),
      ),
    ).toEqual(['A', 'C', 'A', 'C']);
  });
});

describe('a message that asks for a function', () => {
  const asking: ReplyFunction = () => [
    true,
    {
      content: null,
      tool_calls: [{ id: '1', type: 'function', function: { name: 'f', arguments: '{}' } }],
    },
  ];
  const caller = () => {
    const agent = speaker('caller');
    agent.registerReply([Agent, null], asking);
    return agent;
  };
  const ask = async (agents: Agent[], options: Partial<GroupChatOptions> = {}) => {
    const order = [agents[0] as Agent];
    const groupchat = new GroupChat({
      agents,
      maxRound: 3,
      speakerSelectionMethod: () => order.shift() ?? 'round_robin',
      ...options,
    });
    const manager = new GroupChatManager({ groupchat, io: new TestIO(), silent: true });
    await speaker('opener').initiateChat(manager, { message: 'x' });
    return groupchat.messages[2]?.name;
  };
  const able = (name: string, tool: string) =>
    speaker(name, { functionMap: { [tool]: () => 'ok' } });

  test('[SPC1] goes to the one that has it', async () => {
    expect(await ask([caller(), speaker('B'), able('C', 'f')])).toBe('C');
  });

  test('[SPC1] goes to the only one that has any', async () => {
    expect(await ask([caller(), speaker('B'), able('C', 'other')])).toBe('C');
  });

  test('[SPC1] is an error when no member has any', async () => {
    const chat = ask([caller(), speaker('B'), speaker('C')]);
    await expect(chat).rejects.toThrow('No agent can execute the function f.');
  });

  test('[SPC1] goes its usual way without the filter', async () => {
    const agents = [caller(), speaker('B'), able('C', 'f')];
    expect(await ask(agents, { funcCallFilter: false })).toBe('B');
  });
});
