import type { GuardInstallError } from '@teamfuse/core/kit';
import { ConversableAgent, TapSet } from '@teamfuse/groupchat';
import { describe, expect, test } from 'vitest';
import { type GuardableAgent, type GuardProblem, guardAgents } from '../../src/index.ts';
import { group, silence, speaker } from '../support/agents.ts';
import { bareBreaker } from '../support/bare-breaker.ts';
import { HookedAgent, PlainAgent } from '../support/plain-agent.ts';
import { ofKind, record, said } from '../support/signals.ts';

function refusal(act: () => unknown): Partial<GuardInstallError> {
  try {
    act();
  } catch (error) {
    return error as GuardInstallError;
  }
  throw new Error('nothing was refused');
}

/** Counts the taps on it. */
class CountedTaps extends TapSet {
  count = 0;

  override add(tap: Parameters<TapSet['add']>[0]): () => void {
    const remove = super.add(tap);
    this.count += 1;
    return () => {
      this.count -= 1;
      remove();
    };
  }
}

describe('install', () => {
  test('[GCI1] the guard stands first in the chain of every agent, the manager included', () => {
    const members = ['A', 'B'].map((name) => speaker(name));
    const { manager } = group(members);
    const before = members.map(({ replyFuncList }) => replyFuncList.length);
    guardAgents([...members, manager], bareBreaker());
    expect(members.map(({ replyFuncList }) => replyFuncList.length)).toEqual(
      before.map((length) => length + 1),
    );
    for (const { replyFuncList } of [...members, manager]) {
      expect(replyFuncList[0]?.replyFunc.name).toBe('guardTurn');
      expect(replyFuncList[0]?.config).toBeNull();
    }
  });

  test('[GCI2] an agent without registerReply is refused by name, and nothing stays on the others', () => {
    const [a, b] = [speaker('A'), speaker('B')];
    const [before] = [[...a.replyFuncList]];
    const odd = { name: 'odd' } as unknown as GuardableAgent;
    const error = refusal(() => guardAgents([a, odd, b], bareBreaker()));
    expect(error.code).toBe('GUARD_INSTALL');
    expect(error.message).toBe('cannot guard odd: expected an agent with a method registerReply');
    expect([...a.replyFuncList]).toEqual(before);
  });

  test('[GCI2] an agent of AutoGen 0.4 is refused with the function that guards it', () => {
    const odd = { name: 'odd', onMessages() {} } as unknown as GuardableAgent;
    expect(refusal(() => guardAgents([odd], bareBreaker())).message).toBe(
      'cannot guard odd: an agent or team of AutoGen 0.4; use guardTeam()',
    );
  });

  test('[GCI2] an agent that throws when it is fitted leaves nothing on the others', () => {
    const taps = new CountedTaps();
    const a = new ConversableAgent({ name: 'A', io: silence, taps });
    const before = [...a.replyFuncList];
    const broken: GuardableAgent = {
      name: 'broken',
      registerReply() {
        throw new Error('no room');
      },
    };
    const error = refusal(() => guardAgents([a, broken], bareBreaker()));
    expect(error.message).toBe('cannot guard broken: expected an agent that takes reply functions');
    expect((error as Error).cause).toEqual(new Error('no room'));
    expect([...a.replyFuncList]).toEqual(before);
    expect(taps.count).toBe(0);
  });

  test('[GCI3] a breaker guards an agent once: a second install is refused', () => {
    const a = speaker('A');
    const breaker = bareBreaker();
    const guard = guardAgents([a], breaker);
    const before = [...a.replyFuncList];
    expect(refusal(() => guardAgents([a], breaker)).message).toContain(
      'cannot guard A: already guarded by this breaker',
    );
    expect(refusal(() => guard.add(a)).target).toBe('A');
    expect([...a.replyFuncList]).toEqual(before);
  });

  test('[GCI3] an agent that is listed twice is guarded once', async () => {
    const breaker = bareBreaker();
    const signals = record(breaker);
    const [a, b] = [speaker('A'), speaker('B', ['bye'])];
    guardAgents([a, a, b], breaker);
    await a.initiateChat(b, { message: 'hello', maxTurns: 1 });
    expect(said(signals)).toEqual(['A: hello', 'B: bye']);
  });

  test('[GCI4] agents that come later are added to the guard', async () => {
    const breaker = bareBreaker({ maxMessages: 2 });
    const [a, b] = [speaker('A'), speaker('B')];
    const guard = guardAgents([a], breaker);
    guard.add(b);
    const { chatHistory } = await a.initiateChat(b, { message: 'hello' });
    expect(chatHistory).toHaveLength(2);
    expect(guard.agents).toEqual([a, b]);
  });

  test('[GCI5] uninstalling leaves no trace', async () => {
    const taps = new CountedTaps();
    const a = new ConversableAgent({ name: 'A', io: silence, taps });
    const b = speaker('B', ['bye']);
    const before = [a, b].map(({ replyFuncList }) => replyFuncList.map((entry) => ({ ...entry })));
    const breaker = bareBreaker();
    const signals = record(breaker);
    const guard = guardAgents([a, b], breaker);
    expect(taps.count).toBe(1);
    guard.uninstall();
    guard.uninstall();
    expect([a, b].map(({ replyFuncList }) => [...replyFuncList])).toEqual(before);
    expect(taps.count).toBe(0);
    await a.initiateChat(b, { message: 'hello', maxTurns: 1 });
    expect(signals).toEqual([]);
    guardAgents([a, b], breaker);
  });

  test('[GCI6] two breakers may guard one agent, and each is told', async () => {
    const [first, second] = [bareBreaker(), bareBreaker({ maxMessages: 1 })];
    const logs = [record(first), record(second)];
    const [a, b] = [speaker('A'), speaker('B')];
    guardAgents([a, b], first);
    guardAgents([a, b], second);
    const { stopReason } = await a.initiateChat(b, { message: 'hello' });
    expect(logs.map(said)).toEqual([['A: hello'], ['A: hello']]);
    expect(stopReason).toBe(second.conversation().trip?.reason);
    expect(first.conversation().trip).toBeUndefined();
  });

  test('[GCI6] a run that one of them ends is ended as that one says', async () => {
    const [a, b] = [speaker('A'), speaker('B')];
    guardAgents([a, b], bareBreaker(), { onTrip: 'throw' });
    guardAgents([a, b], bareBreaker({ maxMessages: 1 }));
    const { stopKind } = await a.initiateChat(b, { message: 'hello' });
    expect(stopKind).toBe('refused');
  });

  test('[GCI8] nested chats that are registered later at position 3 start after the termination check', async () => {
    for (const [position, started] of [
      [3, 0],
      [2, 1],
    ] as const) {
      const [user, writer, critic] = [speaker('user'), speaker('writer'), speaker('critic', [])];
      const breaker = bareBreaker();
      const signals = record(breaker);
      guardAgents([user, writer, critic], breaker);
      const queue = [{ recipient: critic, message: 'Well?' }];
      writer.registerNestedChats(queue, [user], { position });
      await user.initiateChat(writer, { message: 'TERMINATE', maxTurns: 1 });
      expect(ofKind(signals, 'nested-start')).toHaveLength(started);
    }
  });

  test('[GCI7] an option that cannot be is refused, naming it', () => {
    const options = { onTrip: 'explode' } as never;
    expect(() => guardAgents([speaker('A')], bareBreaker(), options)).toThrow(/option 'onTrip'/);
    expect(() => guardAgents([], {} as never)).toThrow(/cannot guard the breaker/);
  });

  test('[GCI7] an empty list of agents is refused', () => {
    const error = refusal(() => guardAgents([], bareBreaker()));
    expect(error.code).toBe('GUARD_INSTALL');
    expect(error.message).toBe(
      'cannot guard the agents: expected a list of agents, received an empty list',
    );
  });

  test('[GCI9] members of guarded groups that are missing are named at once', () => {
    const problems: GuardProblem[] = [];
    const members = ['A', 'B', 'C'].map((name) => speaker(name));
    const { manager } = group(members);
    const onError = (problem: GuardProblem): unknown => problems.push(problem);
    guardAgents([...members.slice(0, 1), manager], bareBreaker(), { onError });
    expect(problems).toEqual([
      {
        during: 'observe',
        error: new Error('members of guarded groups are not guarded: B, C'),
      },
    ]);
  });

  test.each([
    ['the first one first', [0, 1]],
    ['the last one first', [1, 0]],
  ])('[GCI5] two guards that are removed, %s, leave no trace', async (_, order) => {
    const taps = new CountedTaps();
    const a = new ConversableAgent({ name: 'A', io: silence, taps });
    const [hooked, plain] = [new HookedAgent('hooked'), new PlainAgent('plain')];
    const agents = [a, hooked, plain];
    const chains = agents.map(({ replyFuncList }) => [...replyFuncList]);
    const hooks = structuredClone(hooked.hooks);
    const guards = [bareBreaker(), bareBreaker()].map((breaker) => guardAgents(agents, breaker));
    await a.initiateChat(speaker('B'), { message: 'hello', maxTurns: 1 });
    for (const at of order) guards[at]?.uninstall();
    expect(agents.map(({ replyFuncList }) => [...replyFuncList])).toEqual(chains);
    expect(hooked.hooks).toEqual(hooks);
    expect(taps.count).toBe(0);
  });

  test('[GCI4] a guard that is uninstalled takes no more agents', () => {
    const guard = guardAgents([speaker('A')], bareBreaker());
    guard.uninstall();
    expect(refusal(() => guard.add(speaker('B'))).message).toBe(
      'cannot guard the agents: the guard is uninstalled; call guardAgents() again',
    );
  });
});
