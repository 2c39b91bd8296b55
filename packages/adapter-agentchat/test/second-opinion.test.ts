import { RoundRobinGroupChat, TerminatedException, TextMessage } from '@teamfuse/agentchat';
import { Breaker, type Confirm } from '@teamfuse/core';
import { describe, expect, it } from 'vitest';
import { BreakerTermination, GuardedAgent, guardTeam } from '../src/index.ts';
import { assistant } from './support/agents.ts';
import { alarm } from './support/alarm.ts';

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
  const breaker = new Breaker({ detectors: [alarm('loop')], confirm });
  return { breaker, asked: () => questions };
}

/** A writer who says it, and a critic who would be asked next. */
function speakers() {
  const writer = assistant('writer', ['loop', 'The harbour bridge opened after repairs.']);
  const critic = assistant('critic', ['Copper prices fell sharply.', 'Fine.']);
  const calls = (): number[] => [writer.model.calls.length, critic.model.calls.length];
  return { agents: [writer.agent, critic.agent] as const, calls };
}

const OUTCOMES = [
  [true, [1, 0]],
  [false, [2, 1]],
] as const;

describe('a second opinion', () => {
  it.each(OUTCOMES)(
    '[OPN1] of %s is waited for by BreakerTermination',
    async (isLoop, expected) => {
      const { breaker, asked } = judged(isLoop);
      const { agents, calls } = speakers();
      const team = new RoundRobinGroupChat([...agents], {
        terminationCondition: new BreakerTermination(breaker),
        maxTurns: 3,
      });
      const { stopReason } = await team.run({ task: 'Write' });
      expect(asked()).toBe(1);
      expect(calls()).toEqual(expected);
      expect(stopReason === 'somebody said loop').toBe(isLoop);
    },
  );

  it.each(OUTCOMES)('[OPN2] of %s is waited for by guardTeam', async (isLoop, expected) => {
    const { breaker, asked } = judged(isLoop);
    const { agents, calls } = speakers();
    const team = new RoundRobinGroupChat([...agents], { maxTurns: 3 });
    guardTeam(team, breaker);
    const { stopReason, messages } = await team.run({ task: 'Write' });
    expect(asked()).toBe(1);
    expect(calls()).toEqual(expected);
    expect(stopReason === 'somebody said loop').toBe(isLoop);
    expect(messages.map((message) => message.toText()).slice(0, 2)).toEqual(['Write', 'loop']);
  });

  it.each(OUTCOMES)('[OPN2] of %s is waited for by a GuardedAgent', async (isLoop, expected) => {
    const { breaker } = judged(isLoop);
    const { agents, calls } = speakers();
    const guarded = agents.map((agent) => new GuardedAgent(agent, breaker));
    const team = new RoundRobinGroupChat(guarded, { maxTurns: 3 });
    await team.run({ task: 'Write' }).catch(() => {});
    expect(calls()).toEqual(expected);
  });

  it('[OPN3] is heard once by a condition that is asked twice meanwhile', async () => {
    const { breaker } = judged(true);
    const condition = new BreakerTermination(breaker);
    const said = [new TextMessage({ content: 'loop', source: 'writer' })];
    const [first, second] = [condition.call(said), condition.call(said)];
    expect((await first)?.content).toBe('somebody said loop');
    await expect(second).rejects.toBeInstanceOf(TerminatedException);
  });

  it('[OPN3] about a run that is over does not stop the next one', async () => {
    const { breaker } = judged(true);
    const condition = new BreakerTermination(breaker);
    const pending = condition.call([new TextMessage({ content: 'loop', source: 'writer' })]);
    await condition.reset();
    expect(await pending).toBeNull();
    expect(breaker.trip).toBeUndefined();
  });
});
