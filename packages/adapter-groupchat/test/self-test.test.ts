import { ConversableAgent, type Tap, TapSet } from '@teamfuse/groupchat';
import { describe, expect, test } from 'vitest';
import { install } from '../src/index.ts';
import { group, silence, speaker, thinker } from './support/agents.ts';
import { bareBreaker } from './support/bare-breaker.ts';
import { HookedAgent, PlainAgent } from './support/plain-agent.ts';
import { record } from './support/signals.ts';

/** Lets go of everything that is put on it. */
class LeakyTaps extends TapSet {
  override add(): () => void {
    return () => {};
  }
}

describe('selfTest', () => {
  test('[GCV1] finds every agent wired, and says how each is heard', async () => {
    const { agent: thinking, client } = thinker('thinking', ['never asked']);
    const { manager } = group([thinking, speaker('B')]);
    const agents = [thinking, manager, new HookedAgent('hooked'), new PlainAgent('plain')];
    const guard = install(bareBreaker(), agents);
    expect(await guard.selfTest()).toEqual({
      agents: [
        { agent: 'thinking', reply: 'verified', heardBy: 'taps' },
        { agent: 'chat_manager', reply: 'verified', heardBy: 'taps' },
        { agent: 'hooked', reply: 'verified', heardBy: 'hook' },
        { agent: 'plain', reply: 'verified', heardBy: 'history' },
      ],
      unguarded: ['B'],
    });
    expect(client.calls).toEqual([]);
  });

  test('[GCV2] touches neither the breaker nor a history nor another guard', async () => {
    const [mine, other] = [bareBreaker({ maxMessages: 1 }), bareBreaker({ maxMessages: 1 })];
    const logs = [record(mine), record(other)];
    const [a, b] = [speaker('A'), speaker('B')];
    const plain = new PlainAgent('plain');
    const guard = install(mine, [a, b, plain]);
    install(other, [a, b]);
    const before = mine.snapshot();
    await guard.selfTest();
    expect(mine.snapshot()).toEqual(before);
    expect(logs).toEqual([[], []]);
    expect([a.chatMessages.size, plain.histories.size, plain.turns]).toEqual([0, 0, 0]);
    expect([a.stopReason, guard.trip]).toEqual([null, undefined]);
  });

  test('[GCV3] names the agent whose reply function is gone', async () => {
    const [a, b] = [speaker('A'), speaker('B')];
    const guard = install(bareBreaker(), [a, b]);
    const [entry] = b.replyFuncList;
    if (entry) b.removeReplyFunc(entry.replyFunc);
    await expect(guard.selfTest()).rejects.toThrow(
      'cannot guard B: expected the guard among its reply functions',
    );
  });

  test('[GCV3] names the agent whose taps hear nothing', async () => {
    const deaf = new ConversableAgent({ name: 'deaf', io: silence, taps: new LeakyTaps() });
    const guard = install(bareBreaker(), [speaker('A'), deaf]);
    await expect(guard.selfTest()).rejects.toThrow('cannot guard deaf: expected what is said');
  });

  test('[GCV3] is not misled by another guard on the same agent', async () => {
    class ForgetfulTaps extends TapSet {
      override add(tap: Tap): () => void {
        if (this.#isFirst) {
          this.#isFirst = false;
          return () => {};
        }
        return super.add(tap);
      }

      #isFirst = true;
    }
    const a = new ConversableAgent({ name: 'A', io: silence, taps: new ForgetfulTaps() });
    const [first, second] = [bareBreaker(), bareBreaker()].map((breaker) => install(breaker, [a]));
    await expect(first?.selfTest()).rejects.toThrow('cannot guard A');
    expect((await second?.selfTest())?.agents).toHaveLength(1);
  });

  test('[GCV4] puts the guard back in front where something was registered before it', async () => {
    const a = speaker('A');
    const guard = install(bareBreaker(), [a]);
    a.registerReply([() => true, null], () => [true, 'mine']);
    expect((await guard.selfTest()).agents).toMatchObject([{ agent: 'A', reply: 'verified' }]);
  });

  test('[GCV5] may be asked in the middle of a run', async () => {
    const [a, b] = [speaker('A'), speaker('B')];
    const breaker = bareBreaker({ maxMessages: 30, repetition: false, speakerCycle: false });
    const signals = record(breaker);
    const guard = install(breaker, [a, b]);
    const [result] = await Promise.all([a.initiateChat(b, { message: 'hello' }), guard.selfTest()]);
    expect(result.chatHistory).toHaveLength(30);
    expect(signals).toHaveLength(30);
  });
});
