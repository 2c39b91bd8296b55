import { describe, expect, test } from 'vitest';
import {
  Agent,
  GroupChat,
  GroupChatManager,
  type GroupChatOptions,
  KeyboardInterrupt,
  NoEligibleSpeaker,
  runChat,
} from '../../src/index.ts';
import { lines, script, speaker, TestIO } from '../cast.ts';

const a = speaker('A');
const b = speaker('B');
const c = speaker('C');

function managed(agents: readonly Agent[], options: Partial<GroupChatOptions> = {}) {
  const groupchat = new GroupChat({ agents, speakerSelectionMethod: 'round_robin', ...options });
  return {
    groupchat,
    manager: new GroupChatManager({ groupchat, io: new TestIO(), silent: true }),
  };
}

describe('GroupChat', () => {
  const graph = (entries: [unknown, unknown][]) => new Map(entries) as never;

  test.each<[string, object, string]>([
    [
      'repeat',
      { allowRepeatSpeaker: 'B' },
      'GroupChat allow_repeat_speaker should be a bool or a list of Agents.',
    ],
    [
      'type',
      { speakerTransitionsType: 'sometimes' },
      "GroupChat speaker_transitions_type is set to 'sometimes'. It should be one of ['allowed', 'disallowed', None] (case insensitive). ",
    ],
    [
      'graph without type',
      { allowedOrDisallowedSpeakerTransitions: graph([[a, [b]]]) },
      'GroupChat allowed_or_disallowed_speaker_transitions is not None, but speaker_transitions_type is None.',
    ],
    [
      'graph and repeat',
      {
        allowRepeatSpeaker: true,
        allowedOrDisallowedSpeakerTransitions: graph([[a, [b]]]),
        speakerTransitionsType: 'allowed',
      },
      "Don't provide both",
    ],
    [
      'no graph',
      { allowedOrDisallowedSpeakerTransitions: [], speakerTransitionsType: 'allowed' },
      'allowed_speaker_transitions_dict must be a dictionary.',
    ],
    [
      'no lists',
      { allowedOrDisallowedSpeakerTransitions: graph([[a, b]]), speakerTransitionsType: 'allowed' },
      'allowed_speaker_transitions_dict must be a dictionary with lists as values.',
    ],
    [
      'a stranger',
      {
        allowedOrDisallowedSpeakerTransitions: graph([[speaker('X'), []]]),
        speakerTransitionsType: 'allowed',
      },
      'allowed_speaker_transitions_dict has keys not in agents.',
    ],
    [
      'no agents',
      {
        allowedOrDisallowedSpeakerTransitions: graph([[a, ['B']]]),
        speakerTransitionsType: 'Allowed',
      },
      'allowed_speaker_transitions_dict has values that are not lists of Agents.',
    ],
    [
      'message template',
      { selectSpeakerMessageTemplate: '' },
      'select_speaker_message_template cannot be empty or None.',
    ],
    [
      'multiple template',
      { selectSpeakerAutoMultipleTemplate: '' },
      'select_speaker_auto_multiple_template cannot be empty or None.',
    ],
    [
      'none template',
      { selectSpeakerAutoNoneTemplate: '' },
      'select_speaker_auto_none_template cannot be empty or None.',
    ],
    [
      'role',
      { roleForSelectSpeakerMessages: '' },
      'role_for_select_speaker_messages cannot be empty or None.',
    ],
    [
      'retries',
      { maxRetriesForSelectingSpeaker: 1.5 },
      'max_retries_for_selecting_speaker cannot be None or non-int',
    ],
    [
      'negative retries',
      { maxRetriesForSelectingSpeaker: -1 },
      'max_retries_for_selecting_speaker must be greater than or equal to zero',
    ],
    [
      'verbose',
      { selectSpeakerAutoVerbose: null },
      'select_speaker_auto_verbose cannot be None or non-bool',
    ],
    [
      'transform',
      { selectSpeakerTransformMessages: 'x' },
      'select_speaker_transform_messages must be None or MessageTransforms.',
    ],
  ])('[GOP1] rejects a wrong %s', (_what, options, message) => {
    expect(() => new GroupChat({ agents: [a, b], ...options })).toThrow(message);
  });

  test('[GOP1] a manager is offered no tools', () => {
    const llmConfig = { client: {} as never, tools: [{ name: 'f' }] };
    const make = () =>
      new GroupChatManager({ groupchat: new GroupChat({ agents: [] }), llmConfig });
    expect(make).toThrow('GroupChatManager is not allowed to make function/tool calls.');
  });

  test('[SPC2] without a graph everybody may follow everybody', () => {
    const targets = (options: object) =>
      [...new GroupChat({ agents: [a, b], ...options }).allowedSpeakerTransitions.values()].map(
        (agents) => agents.map(({ name }) => name),
      );
    expect(targets({})).toEqual([
      ['B', 'A'],
      ['A', 'B'],
    ]);
    expect(targets({ allowRepeatSpeaker: false })).toEqual([['B'], ['A']]);
    expect(targets({ allowRepeatSpeaker: [a] })).toEqual([['B', 'A'], ['A']]);
  });

  test('[SPC2] a disallowed graph is taken from the full one', () => {
    const { allowedSpeakerTransitions } = new GroupChat({
      agents: [a, b],
      allowedOrDisallowedSpeakerTransitions: new Map([[a, [a]]]),
      speakerTransitionsType: 'disallowed',
    });
    expect(allowedSpeakerTransitions.get(a)).toEqual([b]);
    expect(allowedSpeakerTransitions.get(b)).toEqual([a, b]);
  });

  test('[SPC3] the ring goes on from the last speaker, among some or all', () => {
    const groupchat = new GroupChat({ agents: [a, b, c] });
    expect(groupchat.nextAgent(a)).toBe(b);
    expect(groupchat.nextAgent(c)).toBe(a);
    expect(groupchat.nextAgent(a, [a, c])).toBe(c);
    expect(groupchat.nextAgent(speaker('X'))).toBe(a);
    expect(() => groupchat.nextAgent(a, [speaker('X')])).toThrow(
      expect.objectContaining({ code: 'UNDEFINED_NEXT_AGENT' }),
    );
  });

  test('[SPC3] looks members up by name, through nested groups if asked to', () => {
    const inner = managed([b, speaker('C')]);
    const groupchat = new GroupChat({ agents: [a, inner.manager, c] });
    expect(groupchat.agentByName('C')).toBe(c);
    expect(groupchat.agentByName('B')).toBeNull();
    expect(groupchat.agentByName('B', { recursive: true })).toBe(b);
    const conflict = () =>
      groupchat.agentByName('C', { recursive: true, raiseOnNameConflict: true });
    expect(conflict).toThrow(expect.objectContaining({ code: 'AGENT_NAME_CONFLICT' }));
  });

  test('[GC1] a function keeps its name, content becomes text', () => {
    const groupchat = new GroupChat({ agents: [a] });
    groupchat.append({ role: 'function', name: 'f', content: 'x' }, a);
    groupchat.append({ role: 'user', content: [{ type: 'text', text: 'y' }] }, a);
    expect(lines(groupchat.messages)).toEqual(['f: x', 'A: y']);
  });
});

describe('GroupChatManager', () => {
  test('[SPC2] warns of members the transition graph forgets', () => {
    const io = new TestIO();
    const groupchat = new GroupChat({
      agents: [a, b, c],
      allowedOrDisallowedSpeakerTransitions: new Map([[a, [a]]]),
      speakerTransitionsType: 'allowed',
    });
    new GroupChatManager({ groupchat, io });
    expect(io.warnings).toEqual(['Speaker transitions name no way to or from: B, C']);
  });
});

describe('a group run', () => {
  test('[GC2] ends when a member answers nothing', async () => {
    const { manager, groupchat } = managed([a, speaker('mute', { defaultAutoReply: null }), c]);
    await a.initiateChat(manager, { message: 'x' });
    expect(groupchat.messages).toHaveLength(1);
  });

  test('[GC2] ends without a failure when a member or a selector finds no eligible speaker', async () => {
    const tired = speaker('tired');
    tired.registerReply([Agent, null], () => {
      throw new NoEligibleSpeaker();
    });
    const one = managed([a, tired]);
    expect((await a.initiateChat(one.manager, { message: 'x' })).summary).toBe('x');
    const two = managed([a, b], { speakerSelectionMethod: () => null });
    expect((await a.initiateChat(two.manager, { message: 'x' })).summary).toBe('x');
  });

  test('[GC2] another error ends the chat', async () => {
    const broken = speaker('broken');
    broken.registerReply([Agent, null], () => {
      throw new RangeError('broken');
    });
    const { manager } = managed([a, broken]);
    await expect(a.initiateChat(manager, { message: 'x' })).rejects.toThrow(RangeError);
  });

  test('[GC2] of no rounds says nothing', async () => {
    const { manager, groupchat } = managed([a, b], { maxRound: 0 });
    await a.initiateChat(manager, { message: 'x' });
    expect(groupchat.messages).toEqual([]);
  });

  test('[GC5] hands the turn to the admin when a person breaks off', async () => {
    const person = speaker('person');
    person.registerReply([Agent, null], () => {
      throw new KeyboardInterrupt();
    });
    const admin = speaker('Admin');
    const { manager, groupchat } = managed([a, person, admin], { maxRound: 2 });
    await a.initiateChat(manager, { message: 'x' });
    expect(lines(groupchat.messages)).toEqual(['A: x', 'Admin: I am Admin']);
    const without = managed([a, person]);
    await expect(a.initiateChat(without.manager, { message: 'x' })).rejects.toThrow(
      KeyboardInterrupt,
    );
  });

  test('[GC6] introduces the members to each other, outside of the transcript', async () => {
    const writer = speaker('writer', { description: 'writes' });
    const { manager, groupchat } = managed([a, writer], { sendIntroductions: true, maxRound: 2 });
    await a.initiateChat(manager, { message: 'x' });
    const first = writer.chatMessages.get(manager)?.[0];
    expect(first?.name).toBe('chat_manager');
    expect(first?.content).toMatch(/\n\nA: .*\nwriter: writes$/);
    expect(groupchat.messages).toHaveLength(2);
  });

  test('[GC3] can be run by any agent', async () => {
    const host = speaker('host');
    const groupchat = new GroupChat({
      agents: [a, b],
      maxRound: 2,
      speakerSelectionMethod: 'round_robin',
    });
    host.registerReply(Agent, runChat, { config: groupchat });
    await a.initiateChat(host, { message: 'x' });
    expect(lines(groupchat.messages)).toEqual(['A: x', 'B: I am B']);
  });

  test('[GC2] a manager that is a member runs its group and ends the outer one', async () => {
    const inner = managed([b, speaker('D')], { maxRound: 3 });
    const outer = managed([a, inner.manager, c]);
    await a.initiateChat(outer.manager, { message: 'x' });
    expect(lines(outer.groupchat.messages)).toEqual(['A: x']);
    expect(inner.groupchat.messages).toHaveLength(3);
  });

  test('[GC1] follows its fields when they are changed', async () => {
    const { manager, groupchat } = managed([a, b, c]);
    groupchat.maxRound = 2;
    await a.initiateChat(manager, { message: 'x' });
    expect(groupchat.messages).toHaveLength(2);
  });
});

describe('the clear-history phrase', () => {
  async function run(phrase: string) {
    const members = [
      speaker('A'),
      script('B', 'one', 'two'),
      script('C', 'three', 'four'),
    ] as const;
    const { manager, groupchat } = managed(members, { maxRound: 7, enableClearHistory: true });
    let turn = 0;
    members[0].registerReply([Agent, null], () => {
      turn += 1;
      return [true, { content: turn === 1 ? phrase : 'go on' }];
    });
    await members[0].initiateChat(manager, { message: 'x' });
    const lengths = members.map((member) => member.chatMessages.get(manager)?.length);
    return { group: lines(groupchat.messages), lengths };
  }

  test('[CLR1] clears all members and the group', async () => {
    const { group, lengths } = await run('please clear history now');
    expect(group).toEqual(['A: please now', 'B: two', 'C: four', 'A: go on']);
    expect(lengths).toEqual([4, 4, 4]);
  });

  test('[CLR1] keeps so many of the last messages', async () => {
    const { group, lengths } = await run('CLEAR HISTORY 2.');
    expect(group.slice(0, 3)).toEqual(['B: one', 'C: three', 'A: ']);
    expect(lengths).toEqual([6, 6, 6]);
  });

  test('[CLR1] clears one member and nothing else', async () => {
    const { group, lengths } = await run('clear history B');
    expect(group).toHaveLength(7);
    expect(lengths).toEqual([7, 4, 7]);
  });

  test.each([['unclear history'], ['clear the history']])(
    '[CLR1] %s is no command',
    async (text) => {
      expect((await run(text)).group).toHaveLength(7);
    },
  );

  test('[CLR1] more messages to keep than there are keeps them all', async () => {
    expect((await run('clear history 99')).group).toHaveLength(7);
  });
});

describe('resume', () => {
  const messages = [
    { role: 'user', name: 'A', content: 'one' },
    { role: 'user', content: 'from the manager' },
    { role: 'user', name: 'B', content: 'two TERMINATE' },
  ];

  test('[RES1] puts messages back and says who goes on', async () => {
    const { manager, groupchat } = managed([a, b]);
    const { lastAgent, lastMessage } = await manager.resume(JSON.stringify(messages), {
      removeTerminationString: ' TERMINATE',
      silent: true,
    });
    expect(lastAgent).toBe(b);
    expect(lastMessage.content).toBe('two');
    expect(lines(groupchat.messages)).toEqual(['A: one', 'chat_manager: from the manager']);
    expect(lines(a.chatMessages.get(manager) ?? [])).toEqual(lines(groupchat.messages));
    await lastAgent.initiateChat(manager, { message: lastMessage, clearHistory: false });
    expect(lines(groupchat.messages).slice(2, 4)).toEqual(['B: two', 'A: I am A']);
  });

  test.each<[unknown, string]>([
    [5, 'Messages is not of type str or List[Dict]'],
    ['{', 'Messages string is not a valid JSON string'],
    [[], 'Cannot resume group chat as no messages were provided.'],
    [
      [{ name: 'X', content: 'x' }],
      "Agent name in message doesn't exist as agent in group chat: X",
    ],
  ])('[RES1] rejects %j', async (given, message) => {
    await expect(managed([a, b]).manager.resume(given as string)).rejects.toThrow(message);
  });

  test('[RES1] warns of a last message that ends the chat', async () => {
    const io = new TestIO();
    const manager = new GroupChatManager({ groupchat: new GroupChat({ agents: [a, b] }), io });
    await manager.resume([{ name: 'A', content: 'TERMINATE' }]);
    expect(io.warnings).toEqual([
      'Last message meets termination criteria and this may terminate the chat.',
    ]);
  });
});
