import {
  type ChatItem,
  isTaskResult,
  MaxMessageTermination,
  ModelClientStreamingChunkEvent,
  RoundRobinGroupChat,
  SelectSpeakerEvent,
  StopMessage,
  type TaskResult,
  type Team,
  TextMessage,
} from '@teamfuse/agentchat';
import { describe, expect, it } from 'vitest';
import { text, thought } from '../said.ts';
import { RecordingCondition } from './recording-condition.ts';
import { ScriptedAgent, transcript } from './scripted-agent.ts';
import { answer, StreamAgent } from './stream-agent.ts';

async function collect(
  team: Team,
  task?: string,
): Promise<{ items: ChatItem[]; result: TaskResult }> {
  const items: ChatItem[] = [];
  for await (const item of team.runStream({ task })) {
    if (isTaskResult(item)) return { items, result: item };
    items.push(item);
  }
  throw new Error('no result');
}

describe('what a condition is given', () => {
  it('[TEAM1] the task at once, then what each turn brought, inner messages first', async () => {
    const condition = new RecordingCondition('two');
    const inner = [thought('hm', 'a')];
    const members = [
      new ScriptedAgent('a', answer('one', 'a', inner)),
      new ScriptedAgent('b', 'two'),
    ];
    const team = new RoundRobinGroupChat(members, { terminationCondition: condition });
    await team.run({ task: [text('x', 'user'), text('y', 'user')] });
    expect(condition.calls).toEqual([['user: x', 'user: y'], ['a: hm', 'a: one'], ['b: two']]);
  });

  it('[TEAM1] the very objects that are in the result', async () => {
    const seen: ChatItem[] = [];
    const condition = {
      terminated: false,
      call(messages: readonly ChatItem[]) {
        seen.push(...messages);
        return seen.length > 2 ? new StopMessage({ content: 'x', source: 'x' }) : null;
      },
      reset() {},
    };
    const team = new RoundRobinGroupChat([new ScriptedAgent('a', '1', '2')], {
      terminationCondition: condition,
    });
    const { messages } = await team.run({ task: 'go' });
    expect(messages.every((message, at) => message === seen[at])).toBe(true);
  });

  it('[TEAM2] differs from what is streamed, which is what was yielded', async () => {
    const condition = new RecordingCondition();
    const agent = new StreamAgent('a', async function* () {
      yield thought('shown', 'a');
      yield answer('done', 'a', [thought('judged', 'a')]);
    });
    const team = new RoundRobinGroupChat([agent], { terminationCondition: condition, maxTurns: 1 });
    const { items } = await collect(team, 'go');
    expect(transcript(items)).toEqual(['user: go', 'a: shown', 'a: done']);
    expect(condition.calls.at(-1)).toEqual(['a: judged', 'a: done']);
  });

  it('[TEAM2] chunks are streamed and not part of the result', async () => {
    const agent = new StreamAgent('a', async function* () {
      yield new ModelClientStreamingChunkEvent({ content: 'do', source: 'a' });
      yield answer('done', 'a');
    });
    const { items, result } = await collect(
      new RoundRobinGroupChat([agent], { maxTurns: 1 }),
      'go',
    );
    expect(transcript(items)).toEqual(['user: go', 'a: do', 'a: done']);
    expect(transcript(result.messages)).toEqual(['user: go', 'a: done']);
  });
});

describe('the end of a run', () => {
  it('[TEAM3] resets the condition before the result is there', async () => {
    const condition = new RecordingCondition('one');
    const team = new RoundRobinGroupChat([new ScriptedAgent('a', 'one')], {
      terminationCondition: condition,
    });
    const { stopReason } = await team.run({ task: 'go' });
    expect(stopReason).toBe('recorded');
    expect(condition).toMatchObject({ resets: 1, terminated: false });
  });

  it('[TEAM3] comes at once, and without a reset, when the condition is terminated at the start', async () => {
    const condition = new RecordingCondition();
    condition.terminated = true;
    const agent = new ScriptedAgent('a', 'one');
    const team = new RoundRobinGroupChat([agent], { terminationCondition: condition });
    expect(await team.run({ task: 'go' })).toEqual({
      messages: [],
      stopReason: 'The group chat has already terminated.',
    });
    expect(condition).toMatchObject({ calls: [], resets: 0 });
    expect(agent.received).toEqual([]);
  });

  it('[TEAM3] may come with the task', async () => {
    const agent = new ScriptedAgent('a', 'one');
    const team = new RoundRobinGroupChat([agent], {
      terminationCondition: new RecordingCondition('go'),
      maxTurns: 1,
    });
    const { messages } = await team.run({ task: 'go' });
    expect(transcript(messages)).toEqual(['user: go']);
    // The task was delivered before it was judged.
    await team.run({ task: 'next' });
    expect(agent.received[0]).toEqual(['go', 'next']);
  });

  it('[TEAM4] comes after so many turns, counted anew in the next run', async () => {
    const team = new RoundRobinGroupChat(
      [new ScriptedAgent('a', '1'), new ScriptedAgent('b', '2')],
      {
        maxTurns: 3,
      },
    );
    const first = await team.run({ task: 'go' });
    const second = await team.run();
    expect(transcript(first.messages)).toEqual(['user: go', 'a: 1', 'b: 2', 'a: 1']);
    expect(first.stopReason).toBe('Maximum number of turns 3 reached.');
    expect(transcript(second.messages)).toEqual(['b: 2', 'a: 1', 'b: 2']);
  });

  it('[TEAM4] is the condition’s when both are reached', async () => {
    const team = new RoundRobinGroupChat([new ScriptedAgent('a', '1')], {
      maxTurns: 1,
      terminationCondition: new MaxMessageTermination(2),
    });
    const { stopReason } = await team.run({ task: 'go' });
    expect(stopReason).toBe('Maximum number of messages 2 reached, current message count: 2');
  });
});

describe('the task', () => {
  it.each([
    ['a text', 'go'],
    ['a message', new TextMessage({ content: 'go', source: 'user' })],
    ['a list of messages', [new TextMessage({ content: 'go', source: 'user' })]],
  ])('[TEAM5] can be %s', async (_what, task) => {
    const team = new RoundRobinGroupChat([new ScriptedAgent('a', '1')], { maxTurns: 1 });
    const { messages } = await team.run({ task });
    expect(transcript(messages)).toEqual(['user: go', 'a: 1']);
  });

  it('[TEAM6] need not be streamed, but is delivered and judged', async () => {
    const condition = new RecordingCondition();
    const agent = new ScriptedAgent('a', '1');
    const team = new RoundRobinGroupChat([agent], { maxTurns: 1, terminationCondition: condition });
    const { messages } = await team.run({ task: 'go', outputTaskMessages: false });
    expect(transcript(messages)).toEqual(['a: 1']);
    expect(agent.received).toEqual([['go']]);
    expect(condition.calls[0]).toEqual(['user: go']);
  });
});

describe('participants', () => {
  it('[TEAM9] receive each message of the others once, and no events', async () => {
    const a = new ScriptedAgent('a', answer('1', 'a', [thought('hm', 'a')]), '2');
    const b = new ScriptedAgent('b', 'x');
    await new RoundRobinGroupChat([a, b], { maxTurns: 4 }).run({ task: 'go' });
    expect(a.received).toEqual([['go'], ['x']]);
    expect(b.received).toEqual([['go', '1'], ['2']]);
  });

  it('[TEAM14] are announced before they speak, if that is wished', async () => {
    const condition = new RecordingCondition();
    const members = [new ScriptedAgent('a', '1'), new ScriptedAgent('b', '2')];
    const team = new RoundRobinGroupChat(members, {
      emitTeamEvents: true,
      maxTurns: 2,
      terminationCondition: condition,
    });
    const { messages } = await team.run({ task: 'go' });
    const manager = 'RoundRobinGroupChatManager';
    expect(transcript(messages)).toEqual([
      'user: go',
      `${manager}: ['a']`,
      'a: 1',
      `${manager}: ['b']`,
      'b: 2',
    ]);
    expect(messages[1]).toBeInstanceOf(SelectSpeakerEvent);
    expect(condition.calls.flat()).toEqual(['user: go', 'a: 1', 'b: 2']);
  });
});

describe('runStream', () => {
  it('[TEAM16] is what run() and an outer team follow, also when it was replaced', async () => {
    const inner = new RoundRobinGroupChat([new ScriptedAgent('a', '1')], {
      name: 'inner',
      maxTurns: 1,
    });
    const outer = new RoundRobinGroupChat([inner], { maxTurns: 1 });
    const heard: string[] = [];
    for (const team of [inner, outer]) {
      const original = team.runStream.bind(team);
      team.runStream = async function* (options) {
        for await (const item of original(options)) {
          if (!isTaskResult(item)) heard.push(`${team.name} ${item.source}: ${item.toText()}`);
          yield item;
        }
      };
    }
    await outer.run({ task: 'go' });
    expect(heard).toEqual([
      'RoundRobinGroupChat user: go',
      'inner a: 1',
      'RoundRobinGroupChat a: 1',
    ]);
    for (const team of [inner, outer]) Reflect.deleteProperty(team, 'runStream');
    await outer.run({ task: 'again' });
    expect(heard).toHaveLength(3);
  });
});
