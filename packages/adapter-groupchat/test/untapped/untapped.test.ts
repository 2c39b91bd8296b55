import { FakeClock } from '@teamfuse/testing';
import { describe, expect, test } from 'vitest';
import { guardAgents } from '../../src/index.ts';
import { speaker } from '../support/agents.ts';
import { bareBreaker } from '../support/bare-breaker.ts';
import { HookedAgent, PlainAgent } from '../support/plain-agent.ts';
import { SaidDetector } from '../support/said-detector.ts';
import { record, said } from '../support/signals.ts';

describe('an agent of another port, without taps', () => {
  test('[GCU1] is heard in the histories it is asked to answer, each message once', async () => {
    const breaker = bareBreaker();
    const signals = record(breaker);
    const [a, b] = [new PlainAgent('A', ['one', 'two']), new PlainAgent('B', ['uno', 'dos'])];
    guardAgents([a, b], breaker);
    await a.send('hello', b);
    expect(said(signals)).toEqual(['A: hello', 'B: uno', 'A: one', 'B: dos', 'A: two']);
    expect(signals[1]).toMatchObject({ agent: 'B', to: 'A' });
  });

  test('[GCU1] also when only one side is guarded, up to the last message it is asked to answer', async () => {
    const breaker = bareBreaker();
    const signals = record(breaker);
    const [a, b] = [new PlainAgent('A', ['one']), new PlainAgent('B', ['uno', 'dos'])];
    guardAgents([b], breaker);
    await a.send('hello', b);
    expect(said(signals)).toEqual(['A: hello', 'B: uno', 'A: one']);
  });

  test('[GCU1] also when its history was cut short', async () => {
    const breaker = bareBreaker();
    const signals = record(breaker);
    const [a, b] = [new PlainAgent('A', ['one', 'two']), new PlainAgent('B', ['uno', 'dos'])];
    guardAgents([a, b], breaker);
    await a.send('hello', b);
    for (const [agent, peer] of [
      [a, b],
      [b, a],
    ] as const)
      agent.historyWith(peer).splice(0, 3);
    await a.send('again', b);
    expect(said(signals).at(-1)).toBe('A: again');
  });

  test('[GCU2] with hooks is heard as it speaks, the last message included', async () => {
    const breaker = bareBreaker();
    const signals = record(breaker);
    const [a, b] = [new HookedAgent('A', ['one']), new HookedAgent('B', ['uno', 'dos'])];
    guardAgents([b, a], breaker);
    await a.send('hello', b);
    expect(said(signals)).toEqual(['A: hello', 'B: uno', 'A: one', 'B: dos']);
  });

  test('[GCU2] side by side with one that has hooks, each message is heard once', async () => {
    const breaker = bareBreaker();
    const signals = record(breaker);
    const [a, b] = [new HookedAgent('A', ['one']), new PlainAgent('B', ['uno', 'dos'])];
    guardAgents([a, b], breaker);
    await a.send('hello', b);
    expect(said(signals)).toEqual(['A: hello', 'B: uno', 'A: one', 'B: dos']);
  });

  test('[GCU3] takes no turn after a trip', async () => {
    const breaker = bareBreaker({ maxMessages: 4 });
    const [a, b] = [new PlainAgent('A'), new PlainAgent('B')];
    const guard = guardAgents([a, b], breaker);
    await a.send('hello', b);
    expect([a.turns, b.turns]).toEqual([1, 2]);
    expect(guard.trip?.kind).toBe('limit');
    await a.send('again', b);
    expect(b.turns).toBe(2);
  });

  test('[GCU3] says so once, or throws, where that was chosen', async () => {
    const [a, b] = [new PlainAgent('A'), new PlainAgent('B')];
    guardAgents([a, b], bareBreaker({ maxMessages: 3 }), { onTrip: 'reply' });
    await a.send('hello', b);
    await a.send('again', b);
    expect(a.historyWith(b).map(({ content }) => content)).toEqual([
      'hello',
      'I am B',
      'I am A',
      '[CIRCUIT OPEN] the limit of 3 messages is reached (maxMessages)',
      'again',
    ]);
    const [c, d] = [new PlainAgent('C'), new PlainAgent('D')];
    guardAgents([c, d], bareBreaker({ maxMessages: 3 }), { onTrip: 'throw' });
    await expect(c.send('hello', d)).rejects.toThrow(/limit of 3 messages is reached/);
  });

  test('[GCU3] also when its chain was emptied: the next turn of a peer puts the guard back', async () => {
    const [a, b] = [new PlainAgent('A'), new PlainAgent('B')];
    guardAgents([a, b], bareBreaker({ maxMessages: 6 }));
    b.replyFuncList.length = 0;
    b.registerReply([() => true], () => [true, 'alone']);
    await a.send('hello', b);
    expect(a.historyWith(b)).toHaveLength(6);
    expect(b.replyFuncList).toHaveLength(2);
  });

  test('[GCU4] probes once after the cool-down', async () => {
    const clock = new FakeClock(1_000);
    const detectors = [() => new SaidDetector('loop')];
    const breaker = bareBreaker({ cooldownMs: 1_000, now: clock.now, detectors });
    const [a, b] = [
      new PlainAgent('A', ['on it goes']),
      new PlainAgent('B', ['loop', 'news', 'bye']),
    ];
    guardAgents([a, b], breaker);
    await a.send('hello', b);
    expect(breaker.conversation().state.status).toBe('open');
    clock.advance(1_000);
    await a.send('hello again', b);
    expect(breaker.conversation().state.status).toBe('closed');
    expect(b.turns).toBe(3);
  });

  test('[GCU4] that repeats the old in its probe is stopped again', async () => {
    const clock = new FakeClock(1_000);
    const detectors = [() => new SaidDetector('loop')];
    const breaker = bareBreaker({ cooldownMs: 1_000, now: clock.now, detectors });
    const [a, b] = [new PlainAgent('A'), new PlainAgent('B', 'loop')];
    guardAgents([a, b], breaker);
    await a.send('hello', b);
    clock.advance(1_000);
    await a.send('hello', b);
    expect([a.turns, b.turns]).toEqual([0, 2]);
    expect(breaker.conversation().state).toMatchObject({ status: 'open', openings: 2 });
  });

  test('[GCU4] that brings nothing new in its probe is stopped again, too', async () => {
    const clock = new FakeClock(1_000);
    const detectors = [() => new SaidDetector('loop')];
    const breaker = bareBreaker({ cooldownMs: 1_000, now: clock.now, detectors });
    const [a, b] = [new PlainAgent('A', ['loop', 'more']), new PlainAgent('B', 'Noted.')];
    guardAgents([a, b], breaker);
    await a.send('hello', b);
    expect([a.turns, b.turns, breaker.conversation().state.status]).toEqual([1, 1, 'open']);
    clock.advance(1_000);
    await a.send('and now?', b);
    expect([a.turns, b.turns]).toEqual([1, 2]);
    expect(breaker.conversation().state).toMatchObject({ status: 'open', openings: 2 });
  });

  test('[GCU5] is left as it was, hooks and chain', () => {
    for (const agent of [new PlainAgent('A'), new HookedAgent('A')]) {
      const before = structuredClone(Object.keys(agent));
      const chain = [...agent.replyFuncList];
      const hooks = agent instanceof HookedAgent ? structuredClone(agent.hooks) : {};
      const guard = guardAgents([agent], bareBreaker());
      expect(agent.replyFuncList).toHaveLength(2);
      guard.uninstall();
      expect(agent.replyFuncList).toEqual(chain);
      expect(Object.keys(agent)).toEqual(before);
      if (agent instanceof HookedAgent) expect(agent.hooks).toEqual(hooks);
    }
  });

  test('[GCU5] that cannot let go of the guard is no longer watched by it', async () => {
    const breaker = bareBreaker({ maxMessages: 2 });
    const signals = record(breaker);
    const [a, b] = [new PlainAgent('A', ['one']), new PlainAgent('B', ['uno', 'dos'])];
    const sealed = { name: 'B', registerReply: b.registerReply.bind(b) };
    const guard = guardAgents([sealed], breaker);
    expect(await guard.selfTest()).toMatchObject({ isPassed: true });
    guard.uninstall();
    await a.send('hello', b);
    expect(signals).toEqual([]);
    expect(a.historyWith(b)).toHaveLength(4);
  });

  test('[GCU6] and one with taps stop together', async () => {
    const breaker = bareBreaker({ maxMessages: 2 });
    const [a, b, plain] = [speaker('A'), speaker('B'), new PlainAgent('plain')];
    guardAgents([a, b, plain], breaker);
    await a.initiateChat(b, { message: 'hello' });
    const other = new PlainAgent('other');
    await other.send('still there?', plain);
    expect(plain.turns).toBe(0);
  });
});
