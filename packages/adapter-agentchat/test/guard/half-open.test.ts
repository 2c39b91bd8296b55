import {
  DiGraphBuilder,
  GraphFlow,
  RoundRobinGroupChat,
  SelectorGroupChat,
} from '@teamfuse/agentchat';
import { Breaker } from '@teamfuse/core';
import { describe, expect, it } from 'vitest';
import { BreakerTermination } from '../../src/breaker-termination.ts';
import { guardTeam } from '../../src/guard/guard-team.ts';
import { assistant, callsTool, replay, Speaker, tool } from '../support/agents.ts';
import { alarm } from '../support/alarm.ts';

/** A breaker that was opened, and has cooled down. */
function cooledDown(): Breaker {
  let now = 0;
  const breaker = new Breaker({
    now: () => now,
    cooldownMs: 1000,
    detectors: [() => alarm('stuck')],
  });
  breaker.observe({ kind: 'message', at: 0, agent: 'a', text: 'stuck' });
  breaker.observe({ kind: 'message', at: 0, agent: 'a', text: 'the old story' });
  now = 1000;
  return breaker;
}

describe('a guard on a half-open circuit', () => {
  it('[HLF1] lets a turn be taken with everything in it, and goes on if it brings something new', async () => {
    const { agent } = assistant('a', [callsTool('look'), 'News!', 'More news'], {
      tools: [tool('look', () => 'a sight')],
      maxToolIterations: 2,
    });
    const breaker = cooledDown();
    const team = new RoundRobinGroupChat([agent], { maxTurns: 2 });
    guardTeam(team, breaker);
    const { stopReason, messages } = await team.run({ task: 'Try again' });
    expect(stopReason).toBe('Maximum number of turns 2 reached.');
    expect(messages.at(-1)?.toText()).toBe('More news');
    expect(breaker.conversation().state.status).toBe('closed');
  });

  it('[HLF2] ends the run after a turn that brings nothing new', async () => {
    const a = new Speaker('a', () => 'the old story');
    const breaker = cooledDown();
    const team = new RoundRobinGroupChat([a]);
    guardTeam(team, breaker);
    const { stopReason } = await team.run({ task: 'Try again' });
    expect(stopReason).toBe('somebody said stuck');
    expect(a.received).toHaveLength(1);
    expect(breaker.conversation().state).toMatchObject({ status: 'open', openings: 2 });
  });

  it('[HLF3] counts the choice of a speaker as a part of the turn it leads to', async () => {
    const members = ['a', 'b', 'c'].map((name) => new Speaker(name, (turn) => `${name}${turn}`));
    const modelClient = replay('b', 'c');
    const breaker = cooledDown();
    const team = new SelectorGroupChat(members, { modelClient, maxTurns: 2 });
    guardTeam(team, breaker);
    const { messages } = await team.run({ task: 'Try again' });
    expect(messages.map((message) => message.toText())).toEqual(['Try again', 'b1', 'c1']);
    expect(breaker.conversation().state.status).toBe('closed');
  });

  it('[HLF4] lets an inner team work as the probe', async () => {
    const a = new Speaker('a', (turn) => `news ${turn}`);
    const breaker = cooledDown();
    const inner = new RoundRobinGroupChat([a], {
      name: 'inner',
      maxTurns: 1,
      terminationCondition: new BreakerTermination(breaker),
    });
    const team = new RoundRobinGroupChat([inner], { maxTurns: 2 });
    guardTeam(team, breaker);
    const { stopReason } = await team.run({ task: 'Try again' });
    expect(stopReason).toBe('Maximum number of turns 2 reached.');
    expect(breaker.conversation().state.status).toBe('closed');
  });

  it('[HLF5] agrees with a condition on the same breaker', async () => {
    const news = new Speaker('a', (turn) => `news ${turn}`);
    const breaker = cooledDown();
    const team = new RoundRobinGroupChat([news], {
      maxTurns: 3,
      terminationCondition: new BreakerTermination(breaker),
    });
    guardTeam(team, breaker);
    const { stopReason } = await team.run({ task: 'Try again' });
    expect(stopReason).toBe('Maximum number of turns 3 reached.');
  });

  it('[HLF6] lets one branch of several be the probe', async () => {
    const members = ['a', 'b'].map((name) => new Speaker(name, (turn) => `${name}${turn}`));
    const [a, b] = members as [Speaker, Speaker];
    const graph = new DiGraphBuilder().addNode(a).addNode(b).build();
    const breaker = cooledDown();
    const team = new GraphFlow(members, { graph });
    guardTeam(team, breaker);
    const { stopReason } = await team.run({ task: 'Try again' });
    expect(stopReason).toBe('the circuit is still open after an earlier run: somebody said stuck');
    expect(members.map(({ received }) => received.length)).toEqual([1, 0]);
  });

  it('[HLF7] gives the probe back when the turn fails', async () => {
    const a = new Speaker('a', (turn) => {
      if (turn === 1) throw new Error('no idea');
      return 'news';
    });
    const breaker = cooledDown();
    const team = new RoundRobinGroupChat([a]);
    guardTeam(team, breaker);
    await expect(team.run({ task: 'Try again' })).rejects.toThrow('no idea');
    expect(breaker.conversation().state).toMatchObject({ status: 'open', openings: 2 });
  });
});
