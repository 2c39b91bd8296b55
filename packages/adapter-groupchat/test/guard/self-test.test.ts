import { ConversableAgent, type Tap, TapSet } from '@teamfuse/groupchat';
import { describe, expect, test } from 'vitest';
import { guardAgents, type TripMode } from '../../src/index.ts';
import { group, silence, speaker, thinker } from '../support/agents.ts';
import { bareBreaker } from '../support/bare-breaker.ts';
import { HookedAgent, PlainAgent } from '../support/plain-agent.ts';
import { record } from '../support/signals.ts';

/** Lets go of everything that is put on it. */
class LeakyTaps extends TapSet {
  override add(): () => void {
    return () => {};
  }
}

describe('selfTest', () => {
  test('[GCV1] finds every hook working, and names the members that are not guarded', async () => {
    const { agent: thinking, client } = thinker('thinking', ['never asked']);
    const { manager } = group([thinking, speaker('B')]);
    const agents = [thinking, manager, new HookedAgent('hooked'), new PlainAgent('plain')];
    const guard = guardAgents(agents, bareBreaker(), { onError: () => {} });
    const check = (owner: string, member: string) => ({
      owner: `agent '${owner}'`,
      member,
      isWorking: true,
    });
    expect(await guard.selfTest()).toEqual({
      isPassed: true,
      checks: [
        check('thinking', 'registerReply'),
        check('thinking', 'taps'),
        check('chat_manager', 'registerReply'),
        check('chat_manager', 'taps'),
        check('hooked', 'registerReply'),
        check('hooked', 'registerHook'),
        check('plain', 'registerReply'),
      ],
      unguarded: ['B'],
    });
    expect(client.calls).toEqual([]);
  });

  test.each<TripMode>(['reply', 'throw'])('[GCV1] passes with onTrip %s, too', async (onTrip) => {
    const agents = [speaker('A'), new HookedAgent('hooked'), new PlainAgent('plain')];
    const guard = guardAgents(agents, bareBreaker(), { onTrip });
    expect(await guard.selfTest()).toMatchObject({ isPassed: true });
  });

  test('[GCV2] touches neither the breaker nor a history nor another guard', async () => {
    const [mine, other] = [bareBreaker({ maxMessages: 1 }), bareBreaker({ maxMessages: 1 })];
    const logs = [record(mine), record(other)];
    const [a, b] = [speaker('A'), speaker('B')];
    const plain = new PlainAgent('plain');
    const guard = guardAgents([a, b, plain], mine);
    guardAgents([a, b], other);
    const before = mine.snapshot();
    await guard.selfTest();
    expect(mine.snapshot()).toEqual(before);
    expect(logs).toEqual([[], []]);
    expect([a.chatMessages.size, plain.histories.size, plain.turns]).toEqual([0, 0, 0]);
    expect([a.stopReason, guard.trip]).toEqual([null, undefined]);
  });

  test('[GCV3] names the agent whose reply function is gone', async () => {
    const [a, b] = [speaker('A'), speaker('B')];
    const guard = guardAgents([a, b], bareBreaker());
    const [entry] = b.replyFuncList;
    if (entry) b.removeReplyFunc(entry.replyFunc);
    const { isPassed, checks } = await guard.selfTest();
    expect(isPassed).toBe(false);
    expect(checks.find(({ isWorking }) => !isWorking)).toEqual({
      owner: "agent 'B'",
      member: 'registerReply',
      isWorking: false,
      problem: 'the guard is not among the reply functions',
    });
  });

  test('[GCV3] names the agent whose reply function cannot be put in front', async () => {
    const plain = new PlainAgent('plain');
    const guard = guardAgents([speaker('A'), plain], bareBreaker());
    plain.registerReply([() => true], () => [true, 'mine']);
    const { isPassed, checks } = await guard.selfTest();
    expect(isPassed).toBe(false);
    expect(checks.filter(({ isWorking }) => !isWorking)).toEqual([
      {
        owner: "agent 'plain'",
        member: 'registerReply',
        isWorking: false,
        problem: 'the guard is not first among the reply functions',
      },
    ]);
  });

  test('[GCV3] names the agent whose taps hear nothing', async () => {
    const deaf = new ConversableAgent({ name: 'deaf', io: silence, taps: new LeakyTaps() });
    const guard = guardAgents([speaker('A'), deaf], bareBreaker());
    const { isPassed, checks } = await guard.selfTest();
    expect(isPassed).toBe(false);
    expect(checks.filter(({ isWorking }) => !isWorking)).toEqual([
      {
        owner: "agent 'deaf'",
        member: 'taps',
        isWorking: false,
        problem: 'a known loop was not detected: none of its turns was reported as a message',
      },
    ]);
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
    const [first, second] = [bareBreaker(), bareBreaker()].map((breaker) =>
      guardAgents([a], breaker),
    );
    expect((await first?.selfTest())?.isPassed).toBe(false);
    expect((await second?.selfTest())?.isPassed).toBe(true);
  });

  test('[GCV4] puts the guard back in front where something was registered before it', async () => {
    const a = speaker('A');
    const guard = guardAgents([a], bareBreaker());
    a.registerReply([() => true, null], () => [true, 'mine']);
    expect((await guard.selfTest()).isPassed).toBe(true);
    expect(a.replyFuncList[0]?.replyFunc.name).toBe('guardTurn');
  });

  test('[GCV5] may be asked in the middle of a run', async () => {
    const [a, b] = [speaker('A'), speaker('B')];
    const breaker = bareBreaker({ maxMessages: 30, repetition: false, speakerCycle: false });
    const signals = record(breaker);
    const guard = guardAgents([a, b], breaker);
    const [result] = await Promise.all([a.initiateChat(b, { message: 'hello' }), guard.selfTest()]);
    expect(result.chatHistory).toHaveLength(30);
    expect(signals).toHaveLength(30);
  });

  test('[GCV6] fails once the guard is uninstalled', async () => {
    const guard = guardAgents([speaker('A')], bareBreaker());
    guard.uninstall();
    expect(await guard.selfTest()).toEqual({ isPassed: false, checks: [], unguarded: [] });
  });
});
