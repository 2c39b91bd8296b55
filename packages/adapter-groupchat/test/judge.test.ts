import type { Confirm } from '@teamfuse/core';
import { describe, expect, test } from 'vitest';
import { guardAgents } from '../src/index.ts';
import { group, thinker } from './support/agents.ts';
import { bareBreaker } from './support/bare-breaker.ts';
import { PlainAgent } from './support/plain-agent.ts';

const STALE = 'Let us see, shall we?';

/** A breaker with a judge that takes a while to answer, and blocks meanwhile. */
function judged(isLoop: boolean) {
  let questions = 0;
  const confirm: Confirm = async () => {
    questions++;
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    return isLoop;
  };
  // The scripted models report next to no tokens.
  const judge = { confirm, blocking: true, maxQuestions: 1, maxShare: 1000 };
  const breaker = bareBreaker({ judge });
  return { breaker, asked: () => questions };
}

describe('a judge that blocks', () => {
  const lines = Array.from({ length: 5 }, () => STALE);

  test.each([
    [true, 4],
    [false, 10],
  ])(
    '[GCO1] with the answer %s comes before the next model call: %i in all',
    async (isLoop, calls) => {
      const { breaker, asked } = judged(isLoop);
      const [a, b] = [thinker('A', lines), thinker('B', lines)];
      guardAgents([a.agent, b.agent], breaker);
      const { stopReason } = await b.agent.initiateChat(a.agent, { message: STALE, maxTurns: 5 });
      expect(asked()).toBe(1);
      const made = a.client.calls.length + b.client.calls.length;
      if (isLoop) expect(stopReason).toContain('the judge is 100% sure');
      expect(made).toBeLessThanOrEqual(calls);
      expect(made > 4).toBe(!isLoop);
    },
  );

  test.each([true, false])('[GCO1] with the answer %s counts in a group, too', async (isLoop) => {
    const { breaker, asked } = judged(isLoop);
    const team = ['A', 'B', 'C'].map((name) => thinker(name, lines));
    const agents = team.map(({ agent }) => agent);
    const { manager } = group(agents, { maxRound: 9 });
    guardAgents([...agents, manager], breaker);
    await team[2]?.agent.initiateChat(manager, { message: STALE });
    expect(asked()).toBe(1);
    expect(breaker.conversation().trip !== undefined).toBe(isLoop);
  });

  test.each([true, false])(
    '[GCO2] with the answer %s is waited for by agents without taps',
    async (isLoop) => {
      const { breaker, asked } = judged(isLoop);
      const [a, b] = [new PlainAgent('A', lines), new PlainAgent('B', lines)];
      guardAgents([a, b], breaker);
      await a.send(STALE, b);
      expect(asked()).toBe(1);
      expect(breaker.conversation().trip !== undefined).toBe(isLoop);
      expect(a.historyWith(b)).toHaveLength(isLoop ? 4 : 11);
    },
  );

  test('[GCO3] is not waited for where nothing is stale', async () => {
    const { breaker, asked } = judged(true);
    const [a, b] = [new PlainAgent('A', ['one']), new PlainAgent('B', ['two', 'three'])];
    guardAgents([a, b], breaker);
    expect(a.replyFuncList[0]?.replyFunc(a, [], b)).toEqual([false, null]);
    expect(asked()).toBe(0);
  });
});
