import {
  AgentTool,
  MaxMessageTermination,
  RoundRobinGroupChat,
  type Termination,
  TextMentionTermination,
  when,
} from '@teamfuse/agentchat';
import { Breaker, type BreakerOptions } from '@teamfuse/core';
import { describe, expect, it } from 'vitest';
import { BreakerTermination } from '../src/breaker-termination.ts';
import { assistant, Speaker } from './support/agents.ts';
import { alarm } from './support/alarm.ts';
import { fact } from './support/teams.ts';

function setUp(options: BreakerOptions, say: (turn: number) => string = fact) {
  let now = 0;
  const breaker = new Breaker({ now: () => now, ...options });
  const writer = new Speaker('writer', say);
  const critic = new Speaker('critic', (turn) => fact(turn + 6));
  const condition = new BreakerTermination(breaker);
  const team = (terminationCondition: Termination = condition): RoundRobinGroupChat =>
    new RoundRobinGroupChat([writer, critic], { terminationCondition, maxTurns: 8 });
  const pass = (ms: number): void => {
    now += ms;
  };
  return { breaker, condition, team, pass };
}

describe('a team under a BreakerTermination', () => {
  it('[TRM6] stops by whichever of its conditions is met first', async () => {
    const { breaker, condition, team } = setUp({ maxMessages: 3 });
    const others = [new MaxMessageTermination(40), new TextMentionTermination('APPROVE')] as const;
    const stop = when`${others[0]} | (${others[1]} & ${new MaxMessageTermination(9)}) | ${condition}`;
    const { messages, stopReason } = await team(stop).run({ task: 'Write' });
    expect(stopReason).toBe(breaker.conversation().trip?.reason);
    expect(messages).toHaveLength(4);
  });

  it('[TRM3] starts the limits afresh after another condition has stopped it', async () => {
    const { breaker, condition, team } = setUp({ maxMessages: 3 });
    const guarded = team(condition.or(new MaxMessageTermination(3)));
    for (let run = 0; run < 3; run++) {
      expect((await guarded.run({ task: 'Write' })).stopReason).toContain('Maximum number');
    }
    expect(breaker.conversation().trip).toBeUndefined();
  });

  it('[TRM3] starts the limits afresh after one of them has stopped it', async () => {
    const { breaker, team } = setUp({ maxMessages: 3 });
    const guarded = team();
    for (let run = 0; run < 3; run++) {
      const { messages, stopReason } = await guarded.run({ task: 'Write' });
      expect(messages).toHaveLength(4);
      expect(stopReason).toBe(breaker.conversation().trip?.reason);
    }
  });

  it('[TRM1] stops at its task while the circuit is open, and goes on once the breaker is reset', async () => {
    const { breaker, team } = setUp({ maxMessages: 3 });
    const guarded = team();
    const forget = breaker.on('signal', ({ index }) => index === 2 && breaker.stop('enough'));
    const first = await guarded.run({ task: 'Write' });
    const second = await guarded.run({ task: 'Go on' });
    expect(second.messages.map((message) => message.toText())).toEqual(['Go on']);
    expect(second.stopReason).toBe(first.stopReason);
    forget();
    breaker.reset();
    expect((await guarded.run({ task: 'Go on' })).messages).toHaveLength(4);
  });

  it('[CDT4] [MAP17] goes on while a boss has six agents work at the same time', async () => {
    const breaker = new Breaker();
    const names = ['ann', 'ben', 'cat', 'dan', 'eve', 'fay'];
    const tools = names.map((name, at) => new AgentTool(assistant(name, [fact(at)]).agent));
    const content = names.map((name) => {
      return { id: name, name, arguments: JSON.stringify({ task: `Ask ${name}` }) };
    });
    const { agent: boss } = assistant('boss', [{ content }, 'Done'], { tools });
    const terminationCondition = new BreakerTermination(breaker);
    const team = new RoundRobinGroupChat([boss], { terminationCondition, maxTurns: 1 });
    await team.run({ task: 'Ask all' });
    expect(breaker.conversation().trip).toBeUndefined();
  });

  it('[TRM7] stops during the cool-down, and goes on after it if something new comes', async () => {
    const options = { detectors: [() => alarm('stuck')], cooldownMs: 1000 };
    const { breaker, team, pass } = setUp(options, (turn) => (turn === 1 ? 'stuck' : fact(turn)));
    const guarded = team();
    expect((await guarded.run({ task: 'Write' })).stopReason).toBe('somebody said stuck');
    pass(999);
    expect((await guarded.run({ task: 'Go on' })).messages).toHaveLength(1);
    pass(1);
    const { stopReason } = await guarded.run({ task: 'Go on' });
    expect(stopReason).toBe('Maximum number of turns 8 reached.');
    expect(breaker.conversation().state.status).toBe('closed');
  });
});
