import {
  MaxMessageTermination,
  RoundRobinGroupChat,
  RuntimeError,
  SelectorEvent,
  SelectorGroupChat,
} from '@teamfuse/agentchat';
import { ReplayChatCompletionClient } from '@teamfuse/models';
import { describe, expect, it } from 'vitest';
import { RecordingCondition } from './recording-condition.ts';
import { ScriptedAgent, transcript } from './scripted-agent.ts';

const pair = (name = 'inner'): RoundRobinGroupChat =>
  new RoundRobinGroupChat([new ScriptedAgent('b', 'b1', 'b2'), new ScriptedAgent('c', 'c1')], {
    name,
    terminationCondition: new MaxMessageTermination(3),
  });

describe('a team in a team', () => {
  it('[TEAM12] shows what it shows, and is judged as one turn without its task', async () => {
    const condition = new RecordingCondition();
    const outer = new RoundRobinGroupChat([pair(), new ScriptedAgent('a', 'a1')], {
      terminationCondition: condition,
      maxTurns: 2,
    });
    const { messages, stopReason } = await outer.run({ task: 'go' });
    expect(transcript(messages)).toEqual(['user: go', 'b: b1', 'c: c1', 'a: a1']);
    expect(condition.calls).toEqual([['user: go'], ['b: b1', 'c: c1'], ['a: a1']]);
    expect(stopReason).toBe('Maximum number of turns 2 reached.');
  });

  it('[TEAM12] gets the messages for it as its task, and the others get its messages', async () => {
    const a = new ScriptedAgent('a', 'a1');
    const inner = pair();
    const outer = new RoundRobinGroupChat([a, inner], { maxTurns: 3 });
    await outer.run({ task: 'go' });
    const [b] = inner.participants as ScriptedAgent[];
    // Two messages of the task and one answer are all the inner condition lets through.
    expect(b?.received).toEqual([['go', 'a1']]);
    expect(a.received).toEqual([['go'], ['b1']]);
  });

  it('[TEAM12] that stops on its task brings an empty turn', async () => {
    const condition = new RecordingCondition();
    const inner = new RoundRobinGroupChat([new ScriptedAgent('b', 'b1')], {
      terminationCondition: new MaxMessageTermination(1),
    });
    const outer = new RoundRobinGroupChat([inner], {
      terminationCondition: condition,
      maxTurns: 1,
    });
    await outer.run({ task: 'go' });
    expect(condition.calls).toEqual([['user: go'], []]);
  });

  it('[TEAM8] that fails names its error within its own', async () => {
    const inner = new RoundRobinGroupChat([new ScriptedAgent('b', new RangeError('boom'))]);
    await expect(new RoundRobinGroupChat([inner]).run({ task: 'go' })).rejects.toThrow(
      new RuntimeError('RuntimeError: RangeError: boom'),
    );
  });

  it('[DEV5] with nothing new to read goes on where it stopped', async () => {
    const inner = new RoundRobinGroupChat([new ScriptedAgent('b', 'b1', 'b2')], { maxTurns: 1 });
    const outer = new RoundRobinGroupChat([inner], { maxTurns: 2 });
    const { messages } = await outer.run({ task: 'go' });
    expect(transcript(messages)).toEqual(['user: go', 'b: b1', 'b: b2']);
  });

  it('[DEV6] may show what its selecting model answers', async () => {
    const inner = new SelectorGroupChat(
      [new ScriptedAgent('b', 'b1'), new ScriptedAgent('c', 'c1')],
      {
        modelClient: new ReplayChatCompletionClient(['b it is']),
        modelClientStreaming: true,
        emitTeamEvents: true,
        maxTurns: 1,
      },
    );
    const { messages } = await new RoundRobinGroupChat([inner], { maxTurns: 1 }).run({
      task: 'go',
    });
    expect(messages.filter((message) => message instanceof SelectorEvent)).toHaveLength(1);
  });

  it('[DEV8] may have any text as its name', async () => {
    const outer = new RoundRobinGroupChat([pair('my team: the first')], { maxTurns: 1 });
    expect((await outer.run({ task: 'go' })).messages).toHaveLength(3);
  });

  it('[STATE1] is saved, loaded and reset with everything in it', async () => {
    const make = (): RoundRobinGroupChat =>
      new RoundRobinGroupChat([pair(), new ScriptedAgent('a', 'a1')], { maxTurns: 1 });
    const first = make();
    await first.run({ task: 'go' });
    const state = await first.saveState();
    const second = make();
    await second.loadState(JSON.parse(JSON.stringify(state)));
    expect(await second.saveState()).toEqual(state);
    await second.reset();
    expect(await second.saveState()).toEqual(await make().saveState());
  });
});
