import {
  type BaseChatMessage,
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
    expect(transcript(second.messages)).toEqual(['user: again', 'a: 1', 'b: x']);
    expect(members[1]?.received).toEqual([['go', '1', 'again', '1']]);
  });

  it('[REF3] in an inner team keeps the messages to and from that team', async () => {
    const inner = new RoundRobinGroupChat([
      new ScriptedAgent('b', 'b1', 'b2'),
      new RefusedAgent('c'),
    ]);
    const a = new ScriptedAgent('a', 'a1');
    const outer = new RoundRobinGroupChat([inner, a], { maxTurns: 1 });

    expect((await outer.run({ task: 'go' })).stopReason).toBe('enough of that');
    await outer.run();
    expect(a.received).toEqual([['go', 'b1']]);
    const { agent_states: states } = await outer.saveState();
    expect(states).toMatchObject({
      RoundRobinGroupChat: { message_buffer: [{ content: 'a1' }] },
      RoundRobinGroupChatManager: {
        message_thread: [{ content: 'go' }, { content: 'b1' }, { content: 'a1' }],
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
