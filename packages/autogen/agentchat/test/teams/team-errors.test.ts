import {
  BaseTextChatMessage,
  type ChatAgent,
  type MaxMessageTermination,
  type Participant,
  RoundRobinGroupChat,
  RuntimeError,
  SelectorGroupChat,
  StopMessage,
  Swarm,
  TextMessage,
  textFields,
  ValueError,
} from '@teamfuse/agentchat';
import { ReplayChatCompletionClient } from '@teamfuse/models';
import { describe, expect, it } from 'vitest';
import { thought } from '../said.ts';
import { RecordingCondition } from './recording-condition.ts';
import { ScriptedAgent, transcript } from './scripted-agent.ts';
import { answer, StreamAgent } from './stream-agent.ts';

class Note extends BaseTextChatMessage {
  static readonly type = 'Note';
  readonly type = 'Note';

  static load(data: unknown): Note {
    return new Note(textFields(data, Note.type));
  }
}

const note = new Note({ content: 'n', source: 'a' });
const agent = (name = 'a'): ScriptedAgent => new ScriptedAgent(name, '1', '2');
const modelClient = new ReplayChatCompletionClient([]);

describe('making a team', () => {
  it.each<[string, () => unknown, Error]>([
    [
      'AER1',
      () => new RoundRobinGroupChat([]),
      new ValueError('At least one participant is required.'),
    ],
    [
      'AER2',
      () => new RoundRobinGroupChat([agent(), agent()]),
      new ValueError('The participant names must be unique.'),
    ],
    [
      'AER3',
      () => new SelectorGroupChat([agent()], { modelClient }),
      new ValueError('At least two participants are required for SelectorGroupChat.'),
    ],
    [
      'AER4',
      () => new Swarm([new RoundRobinGroupChat([agent()]) as Participant as ChatAgent]),
      new TypeError('Participant <RoundRobinGroupChat object> must be a ChatAgent.'),
    ],
    [
      'AER5',
      () => new Swarm([agent()]),
      new ValueError('The first participant must be able to produce a handoff messages.'),
    ],
    [
      'AER6',
      () => new RoundRobinGroupChat([agent()], { customMessageTypes: [Note, Note] }),
      new ValueError("Message type <class 'Note'> is already registered."),
    ],
    [
      'TERM9',
      () =>
        new RoundRobinGroupChat([agent()], {
          terminationCondition: 'TERMINATE' as unknown as MaxMessageTermination,
        }),
      new ValueError(
        'terminationCondition must be a termination condition (terminated, call and reset), received "TERMINATE".',
      ),
    ],
    [
      'TERM9',
      () =>
        new RoundRobinGroupChat([agent()], {
          // JavaScript evaluates `new MaxMessageTermination(9) | new TextMentionTermination('DONE')` to this.
          terminationCondition: 0 as unknown as MaxMessageTermination,
        }),
      new ValueError(
        'terminationCondition must be a termination condition (terminated, call and reset), received 0. JavaScript has no operators for conditions: write a.or(b) and a.and(b), or(a, b) and and(a, b), or when`…`.',
      ),
    ],
  ])('[%s] fails with the recorded words', (_id, make, error) => {
    expect(make).toThrow(error);
  });
});

describe('starting a run', () => {
  it('[AER7] fails at every run when there are no turns to take', async () => {
    const team = new RoundRobinGroupChat([agent()], { maxTurns: 0 });
    const error = new ValueError('The maximum number of turns must be greater than 0.');
    await expect(team.run({ task: 'go' })).rejects.toThrow(error);
    await expect(team.run({ task: 'go' })).rejects.toThrow(error);
  });

  it.each<[string, unknown, string]>([
    ['AER8', [], 'Task list cannot be empty.'],
    ['AER9', ['go'], 'All messages in task list must be valid BaseChatMessage types'],
    ['AER9', [thought('x')], 'All messages in task list must be valid BaseChatMessage types'],
    ['AER10', 42, 'Task must be a string, a BaseChatMessage, or a list of BaseChatMessage.'],
    [
      'AER10',
      thought('x'),
      'Task must be a string, a BaseChatMessage, or a list of BaseChatMessage.',
    ],
    [
      'AER11',
      note,
      "Message type <class 'Note'> is not registered with the message factory. Please register it with the " +
        'message factory by adding it to the custom_message_types list when creating the team.',
    ],
  ])('[%s] refuses the task %j', async (_id, task, message) => {
    const team = new RoundRobinGroupChat([agent()], { maxTurns: 1 });
    await expect(team.run({ task: task as string })).rejects.toThrow(new ValueError(message));
    expect((await team.run({ task: 'go' })).messages).toHaveLength(2);
  });

  it('[TEAM11] takes a task of a registered class', async () => {
    const team = new RoundRobinGroupChat([agent()], { maxTurns: 1, customMessageTypes: [Note] });
    expect(transcript((await team.run({ task: note })).messages)).toEqual(['a: n', 'a: 1']);
  });

  it('[TEAM7] passes on what the condition throws on the task, and streams nothing', async () => {
    const condition = new RecordingCondition();
    condition.call = () => {
      throw new RangeError('no judgement');
    };
    const team = new RoundRobinGroupChat([agent()], { terminationCondition: condition });
    const items: unknown[] = [];
    const run = async (): Promise<void> => {
      for await (const item of team.runStream({ task: 'go' })) items.push(item);
    };
    await expect(run()).rejects.toThrow(new RangeError('no judgement'));
    expect(items).toEqual([]);
    expect(condition.resets).toBe(0);
  });
});

describe('failing in the middle of a run', () => {
  const failing = (turn: ConstructorParameters<typeof StreamAgent>[1]): RoundRobinGroupChat =>
    new RoundRobinGroupChat([agent('first'), new StreamAgent('a', turn)], { maxTurns: 9 });

  it('[TEAM8] wraps the error, whose name and text lead the message, and keeps what was shown', async () => {
    const cause = new RangeError('too far');
    const team = failing(async function* () {
      yield thought('on the way', 'a');
      throw cause;
    });
    const items: string[] = [];
    const run = async (): Promise<void> => {
      for await (const item of team.runStream({ task: 'go' })) {
        if ('toText' in item) items.push(item.toText());
      }
    };
    await expect(run()).rejects.toThrow(
      expect.objectContaining({ name: 'RuntimeError', message: 'RangeError: too far', cause }),
    );
    expect(items).toEqual(['go', '1', 'on the way']);
  });

  it.each<[string, ConstructorParameters<typeof StreamAgent>[1], string]>([
    [
      'AER12',
      async function* () {
        yield { chatMessage: note };
      },
      "ValueError: Message type <class 'Note'> is not registered.",
    ],
    [
      'AER13',
      async function* () {
        yield thought('only this', 'a');
      },
      "RuntimeError: The agent did not produce a final response. Check the agent's on_messages_stream method.",
    ],
  ])('[%s] names what the agent did wrong', async (_id, turn, message) => {
    await expect(failing(turn).run({ task: 'go' })).rejects.toThrow(new RuntimeError(message));
  });

  it('[AER14] names an inner team that gave no result', async () => {
    const inner = new RoundRobinGroupChat([agent()], { maxTurns: 1 });
    inner.runStream = async function* () {};
    await expect(new RoundRobinGroupChat([inner]).run({ task: 'go' })).rejects.toThrow(
      new RuntimeError(
        "RuntimeError: The team did not produce a final TaskResult. Check the team's run_stream method.",
      ),
    );
  });

  it('[TEAM8] shows an answer on which the condition threw', async () => {
    const condition = new RecordingCondition();
    condition.call = (messages) => {
      if (messages.some(({ source }) => source === 'a')) throw new Error('no judgement');
      return null;
    };
    const team = new RoundRobinGroupChat([agent()], { terminationCondition: condition });
    const items: string[] = [];
    const run = async (): Promise<void> => {
      for await (const item of team.runStream({ task: 'go' })) {
        if ('toText' in item) items.push(item.toText());
      }
    };
    await expect(run()).rejects.toThrow('Error: no judgement');
    expect(items).toEqual(['go', '1']);
  });

  it('[TEAM4] keeps the count of turns', async () => {
    let isFailing = true;
    const turn = async function* () {
      if (isFailing) throw new Error('once');
      yield answer('x', 'b');
    };
    const team = new RoundRobinGroupChat([agent('a'), new StreamAgent('b', turn)], { maxTurns: 3 });
    await expect(team.run({ task: 'go' })).rejects.toThrow('once');
    isFailing = false;
    expect(transcript((await team.run()).messages)).toEqual(['a: 2', 'b: x']);
  });
});

describe('a team that is running', () => {
  it('[TEAM10] refuses to run, to be reset and to be loaded', async () => {
    const outcomes: unknown[] = [];
    const members = [
      new StreamAgent('a', async function* () {
        for (const attempt of [
          () => team.run({ task: 'again' }),
          () => team.reset(),
          () => team.loadState({}),
        ]) {
          outcomes.push(await attempt().catch(String));
        }
        yield answer('done', 'a');
      }),
    ];
    const team = new RoundRobinGroupChat(members, { maxTurns: 1 });
    await team.run({ task: 'go' });
    expect(outcomes).toEqual([
      'ValueError: The team is already running, it cannot run again until it is stopped.',
      'RuntimeError: The group chat is currently running. It must be stopped before it can be reset.',
      'RuntimeError: The team cannot be loaded while it is running.',
    ]);
  });

  it('[TEAM10] can be run again as soon as its result is there', async () => {
    const team = new RoundRobinGroupChat([agent()], { maxTurns: 1 });
    const stream = team.runStream({ task: 'go' });
    for (let at = 0; at < 3; at++) await stream.next();
    expect((await team.run()).messages).toHaveLength(1);
  });
});

describe('a team that has not run yet', () => {
  it('[TEAM10] refuses to pause and to go on', async () => {
    const team = new RoundRobinGroupChat([agent()]);
    const text = 'The group chat has not been initialized. It must be run before it can be';
    await expect(team.pause()).rejects.toThrow(new RuntimeError(`${text} paused.`));
    await expect(team.resume()).rejects.toThrow(new RuntimeError(`${text} resumed.`));
  });

  it('[DEV3] passes the wish to pause on once it has run', async () => {
    const paused: string[] = [];
    const member = agent();
    member.onPause = async () => void paused.push('a');
    const inner = new RoundRobinGroupChat([agent('b')], { name: 'inner', maxTurns: 1 });
    const team = new RoundRobinGroupChat([member, inner], { maxTurns: 2 });
    await team.run({ task: 'go' });
    await team.pause();
    expect(paused).toEqual(['a']);
  });
});

describe('a stop message', () => {
  it('[TEAM1] that a participant says stops nobody by itself', async () => {
    const chatMessage = new StopMessage({ content: 'stop', source: 'a' });
    const team = new RoundRobinGroupChat([new ScriptedAgent('a', { chatMessage })], {
      maxTurns: 2,
    });
    const { messages } = await team.run({ task: new TextMessage({ content: 'go', source: 'u' }) });
    expect(messages).toHaveLength(3);
  });
});
