import { RoundRobinGroupChat, TerminatedException, TextMessage } from '@teamfuse/agentchat';
import { Breaker, type Confirm } from '@teamfuse/core';
import { NO_DETECTORS } from '@teamfuse/core/detectors';
import { describe, expect, it } from 'vitest';
import { BreakerTermination, GuardedAgent, guardTeam } from '../src/index.ts';
import { assistant } from './support/agents.ts';

const STALE = 'Let us see, shall we?';
const TURNS = 8;

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
  return { breaker: new Breaker({ ...NO_DETECTORS, judge }), asked: () => questions };
}

/** Two who say the same in turn. */
function speakers() {
  const lines = Array.from({ length: TURNS }, () => STALE);
  const [a, b] = [assistant('a', lines), assistant('b', lines)];
  const calls = (): number => a.model.calls.length + b.model.calls.length;
  return { agents: [a.agent, b.agent] as const, calls };
}

describe('a judge that blocks', () => {
  it.each([true, false])(
    '[OPN1] with the answer %s is waited for by BreakerTermination',
    async (isLoop) => {
      const { breaker, asked } = judged(isLoop);
      const { agents, calls } = speakers();
      const terminationCondition = new BreakerTermination(breaker);
      const team = new RoundRobinGroupChat([...agents], { terminationCondition, maxTurns: TURNS });
      const { stopReason } = await team.run({ task: 'Write' });
      expect(asked()).toBe(1);
      expect(calls() < TURNS).toBe(isLoop);
      expect(stopReason?.includes('the judge is 100% sure')).toBe(isLoop);
    },
  );

  it.each([true, false])('[OPN2] with the answer %s is waited for by guardTeam', async (isLoop) => {
    const { breaker, asked } = judged(isLoop);
    const { agents, calls } = speakers();
    const team = new RoundRobinGroupChat([...agents], { maxTurns: TURNS });
    guardTeam(team, breaker);
    const { stopReason, messages } = await team.run({ task: 'Write' });
    expect(asked()).toBe(1);
    expect(calls() < TURNS).toBe(isLoop);
    expect(stopReason?.includes('the judge is 100% sure')).toBe(isLoop);
    expect(messages.map((message) => message.toText()).slice(0, 2)).toEqual(['Write', STALE]);
  });

  it.each([true, false])(
    '[OPN2] with the answer %s is waited for by a GuardedAgent',
    async (isLoop) => {
      const { breaker } = judged(isLoop);
      const { agents, calls } = speakers();
      const guarded = agents.map((agent) => new GuardedAgent(agent, breaker));
      const team = new RoundRobinGroupChat(guarded, { maxTurns: TURNS });
      await team.run({ task: 'Write' }).catch(() => {});
      expect(calls() < TURNS).toBe(isLoop);
    },
  );

  /** Messages until the next one raises a question. */
  async function untilAsked(condition: BreakerTermination, asked: () => number) {
    const said = () => [new TextMessage({ content: STALE, source: 'a' })];
    for (let i = 0; i < 3; i++) await condition.call(said());
    expect(asked()).toBe(0);
    return said();
  }

  it('[OPN3] is heard once by a condition that is asked twice meanwhile', async () => {
    const { breaker, asked } = judged(true);
    const condition = new BreakerTermination(breaker);
    const said = await untilAsked(condition, asked);
    const [first, second] = [condition.call(said), condition.call(said)];
    expect((await first)?.content).toContain('the judge is 100% sure');
    await expect(second).rejects.toBeInstanceOf(TerminatedException);
  });

  it('[OPN3] about a run that is over does not stop the next one', async () => {
    const { breaker, asked } = judged(true);
    const condition = new BreakerTermination(breaker);
    const pending = condition.call(await untilAsked(condition, asked));
    await condition.reset();
    expect(await pending).toBeNull();
    expect(breaker.conversation().trip).toBeUndefined();
  });
});
