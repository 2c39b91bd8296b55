import type { Confirm } from '@teamfuse/core';
import { describe, expect, test } from 'vitest';
import { install } from '../src/index.ts';
import { group, thinker } from './support/agents.ts';
import { bareBreaker } from './support/bare-breaker.ts';
import { PlainAgent } from './support/plain-agent.ts';
import { SaidDetector } from './support/said-detector.ts';

/** A breaker that suspects the word loop, and somebody who takes a while to say what it is. */
function judged(isLoop: boolean) {
  let questions = 0;
  const confirm: Confirm = async () => {
    questions++;
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    return isLoop;
  };
  const breaker = bareBreaker({ detectors: [new SaidDetector('loop')], confirm });
  return { breaker, asked: () => questions };
}

describe('a second opinion', () => {
  test.each([
    [true, 0],
    [false, 2],
  ])('[GCO1] of %s comes before the next model call: %i more', async (isLoop, more) => {
    const { breaker, asked } = judged(isLoop);
    const a = thinker('A', ['loop', 'fine', 'done']);
    const b = thinker('B', ['go on', 'good', 'bye']);
    install(breaker, [a.agent, b.agent]);
    const { stopReason } = await b.agent.initiateChat(a.agent, { message: 'hello', maxTurns: 2 });
    expect(asked()).toBe(1);
    expect([a.client.calls.length, b.client.calls.length]).toEqual([1 + more / 2, more / 2]);
    expect(stopReason).toBe(isLoop ? 'A said loop' : null);
  });

  test.each([
    [true, 1],
    [false, 3],
  ])('[GCO1] of %s counts in a group, too', async (isLoop, calls) => {
    const { breaker } = judged(isLoop);
    const team = ['A', 'B', 'C'].map((name) => thinker(name, [name === 'A' ? 'loop' : 'fine']));
    const agents = team.map(({ agent }) => agent);
    const { manager } = group(agents, { maxRound: 4 });
    install(breaker, [...agents, manager]);
    await team[2]?.agent.initiateChat(manager, { message: 'hello' });
    expect(team.reduce((sum, { client }) => sum + client.calls.length, 0)).toBe(calls);
  });

  test.each([
    [true, 0],
    [false, 2],
  ])('[GCO2] of %s is waited for by agents without taps', async (isLoop, turns) => {
    const { breaker, asked } = judged(isLoop);
    const [a, b] = [new PlainAgent('A', ['fine', 'done']), new PlainAgent('B', ['loop', 'more'])];
    install(breaker, [a, b]);
    await a.send('hello', b);
    expect(asked()).toBe(1);
    expect(a.turns).toBe(turns);
  });

  test('[GCO3] is not waited for where nothing is suspected', async () => {
    const { breaker, asked } = judged(true);
    const [a, b] = [new PlainAgent('A', ['one']), new PlainAgent('B', ['two', 'three'])];
    install(breaker, [a, b]);
    expect(a.replyFuncList[0]?.replyFunc(a, [], b)).toEqual([false, null]);
    expect(asked()).toBe(0);
  });
});
