import {
  type BaseChatMessage,
  DiGraphBuilder,
  GraphFlow,
  MaxMessageTermination,
  type Response,
  RoundRobinGroupChat,
  SelectorGroupChat,
} from '@teamfuse/agentchat';
import { ReplayChatCompletionClient } from '@teamfuse/models';
import { describe, expect, it } from 'vitest';
import { ScriptedAgent, transcript } from './scripted-agent.ts';

/** A guard's refusal, recognised by its code alone. */
function refusal(reason: string): Error {
  return Object.assign(new Error(reason), { code: 'TRIPPED' });
}

/** Refused once, in its own turn, and answers from then on. */
class RefusedAgent extends ScriptedAgent {
  #isRefused = false;

  override async onMessages(messages: readonly BaseChatMessage[]): Promise<Response> {
    if (this.#isRefused) return super.onMessages(messages);
    this.#isRefused = true;
    throw new Error('wrapped', { cause: refusal('enough of that') });
  }
}

describe('a guard’s refusal', () => {
  it('[REF1] stops the run with its reason, and keeps earlier messages', async () => {
    const members = [new ScriptedAgent('a', '1'), new RefusedAgent('b', 'x')];
    const team = new RoundRobinGroupChat(members, {
      terminationCondition: new MaxMessageTermination(3),
    });

    const first = await team.run({ task: 'go' });
    expect(transcript(first.messages)).toEqual(['user: go', 'a: 1']);
    expect(first.stopReason).toBe('enough of that');

    // The condition counts from zero, and no undelivered message is lost.
    const second = await team.run({ task: 'again' });
    expect(transcript(second.messages)).toEqual(['user: again', 'b: x', 'a: 1']);
    expect(members[1]?.received).toEqual([['go', '1', 'again']]);
  });

  it('[REF4] leaves a member of a ring its turn when the team goes on', async () => {
    const team = new RoundRobinGroupChat(
      [new RefusedAgent('a', 'a1'), new ScriptedAgent('b', 'b1'), new ScriptedAgent('c', 'c1')],
      { maxTurns: 3 },
    );
    expect((await team.run({ task: 'go' })).stopReason).toBe('enough of that');
    expect(transcript((await team.run()).messages)).toEqual(['a: a1', 'b: b1', 'c: c1']);
  });

  it('[REF4] leaves the chosen one its turn, and asks no model again', async () => {
    const modelClient = new ReplayChatCompletionClient(['b', 'a']);
    const members = [new ScriptedAgent('a', 'a1'), new RefusedAgent('b', 'b1')];
    const team = new SelectorGroupChat(members, { modelClient, maxTurns: 2 });
    await team.run({ task: 'go' });
    expect(transcript((await team.run()).messages)).toEqual(['b: b1', 'a: a1']);
  });

  it('[REF4] leaves a node of a graph its turn, and goes on behind it', async () => {
    const [a, b, c] = [
      new ScriptedAgent('a', 'a1'),
      new RefusedAgent('b', 'b1'),
      new ScriptedAgent('c', 'c1'),
    ];
    const graph = new DiGraphBuilder();
    for (const node of [a, b, c]) graph.addNode(node);
    graph.addEdge(a, b).addEdge(b, c);
    const team = new GraphFlow(graph.participants, { graph: graph.build() });
    expect(transcript((await team.run({ task: 'go' })).messages)).toEqual(['user: go', 'a: a1']);
    expect(transcript((await team.run()).messages).slice(0, 2)).toEqual(['b: b1', 'c: c1']);
  });

  it('[REF4] leaves the turn also to a team that continues from a saved state', async () => {
    const team = (): RoundRobinGroupChat =>
      new RoundRobinGroupChat([new RefusedAgent('a', 'a1'), new ScriptedAgent('b', 'b1')], {
        maxTurns: 1,
      });
    const refused = team();
    await refused.run({ task: 'go' });
    const restored = new RoundRobinGroupChat(
      [new ScriptedAgent('a', 'a1'), new ScriptedAgent('b', 'b1')],
      { maxTurns: 1 },
    );
    await restored.loadState(await refused.saveState());
    expect(transcript((await restored.run()).messages)).toEqual(['a: a1']);
  });

  it('[REF4] leaves nobody a turn after a reset', async () => {
    const team = new RoundRobinGroupChat(
      [new ScriptedAgent('a', 'a1'), new RefusedAgent('b', 'b1')],
      {
        maxTurns: 2,
      },
    );
    await team.run({ task: 'go' });
    await team.reset();
    expect(transcript((await team.run({ task: 'go' })).messages)).toEqual([
      'user: go',
      'a: a1',
      'b: b1',
    ]);
  });

  it('[REF3] in an inner team keeps the messages to and from that team', async () => {
    const inner = new RoundRobinGroupChat(
      [new ScriptedAgent('b', 'b1', 'b2'), new RefusedAgent('c', 'c1')],
      { maxTurns: 2 },
    );
    const a = new ScriptedAgent('a', 'a1');
    const outer = new RoundRobinGroupChat([inner, a], { maxTurns: 1 });

    expect((await outer.run({ task: 'go' })).stopReason).toBe('enough of that');
    await outer.run();
    await outer.run();
    expect(a.received).toEqual([['go', 'b1', 'c1', 'b2']]);
    const { agent_states: states } = await outer.saveState();
    expect(states).toMatchObject({
      RoundRobinGroupChat: { message_buffer: [{ content: 'a1' }] },
      RoundRobinGroupChatManager: {
        message_thread: ['go', 'b1', 'c1', 'b2', 'a1'].map((content) => ({ content })),
      },
    });
  });

  it('[REF2] of the first step leaves the task in the result', async () => {
    const modelClient = new ReplayChatCompletionClient([refusal('no more calls')]);
    const members = [new ScriptedAgent('a', '1'), new ScriptedAgent('b', 'x')];
    const team = new SelectorGroupChat(members, { modelClient });

    const { messages, stopReason } = await team.run({ task: 'go' });
    expect(transcript(messages)).toEqual(['user: go']);
    expect(stopReason).toBe('no more calls');
  });
});
