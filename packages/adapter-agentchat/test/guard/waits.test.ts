import { type InputFunc, RoundRobinGroupChat, UserProxyAgent } from '@teamfuse/agentchat';
import { Breaker } from '@teamfuse/core';
import { FakeClock } from '@teamfuse/testing';
import { describe, expect, it } from 'vitest';
import { guardTeam } from '../../src/guard/guard-team.ts';
import { assistant, callsTool, tool } from '../support/agents.ts';

/** As long as a run leaves to work under way after a trip. */
const GRACE_MS = 1_000;

/** A team whose tool never comes back, and a promise of its call. */
function hanging(options: ConstructorParameters<typeof Breaker>[0] = {}) {
  let called = (): void => {};
  const isCalled = new Promise<void>((resolve) => {
    called = resolve;
  });
  const hang = tool('hang', () => {
    called();
    return new Promise<string>(() => {});
  });
  const { agent } = assistant('bot', [callsTool('hang', {})], { tools: [hang] });
  const team = new RoundRobinGroupChat([agent], { maxTurns: 3 });
  const breaker = new Breaker(options);
  guardTeam(team, breaker);
  return { team, breaker, isCalled };
}

describe('a wait that would not end', () => {
  it('[GRD17] is ended by a stop by hand', async () => {
    const { team, breaker, isCalled } = hanging();
    const run = team.run({ task: 'Go' });
    await isCalled;
    breaker.stop('enough');
    expect((await run).stopReason).toBe('enough');
  });

  it('[GRD17] is ended by the run time', async () => {
    const clock = new FakeClock();
    const { now, timers } = clock;
    const { team, isCalled } = hanging({ maxRunMs: 50, now, timers });
    const run = team.run({ task: 'Go' });
    await isCalled;
    clock.advance(50 + GRACE_MS);
    expect((await run).stopReason).toContain('(maxRunMs)');
  });

  it('[GRD17] is ended by a trip elsewhere', async () => {
    const clock = new FakeClock();
    const { now, timers } = clock;
    const { team, breaker, isCalled } = hanging({ maxMessages: 1, now, timers });
    const run = team.run({ task: 'Go' });
    await isCalled;
    breaker.observe({ kind: 'message', at: breaker.now(), agent: 'other', text: 'Hello' });
    clock.advance(GRACE_MS);
    expect((await run).stopReason).toContain('message is reached (maxMessages)');
  });
});

describe('a person who does not answer', () => {
  it('[GRD19] keeps no run from being stopped', async () => {
    let asked = (): void => {};
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const inputFunc = (): Promise<string> => {
      asked();
      return new Promise(() => {});
    };
    const team = new RoundRobinGroupChat([new UserProxyAgent('user', { inputFunc })]);
    const breaker = new Breaker();
    guardTeam(team, breaker);
    const run = team.run({ task: 'Go' });
    await isAsked;
    breaker.stop('enough');
    expect((await run).stopReason).toBe('enough');
  });
});

describe('a person who is asked', () => {
  it('[GRD19] is asked with a signal, which aborts when the run is stopped', async () => {
    const breaker = new Breaker({ scope: 'breaker' });
    const asked: unknown[] = [];
    const inputFunc: InputFunc = (prompt, { signal }) => {
      breaker.stop('enough');
      asked.push([prompt, signal?.aborted]);
      return 'yes';
    };
    const team = new RoundRobinGroupChat([new UserProxyAgent('user', { inputFunc })]);
    guardTeam(team, breaker);
    expect((await team.run({ task: 'Go' })).stopReason).toBe('enough');
    expect(asked).toEqual([['Enter your response: ', true]]);
  });
});

describe('two guards', () => {
  it.each([
    ['the first one first', [0, 1]],
    ['the last one first', [1, 0]],
  ])('[GRD18] that are removed %s leave nothing behind', async (_, order) => {
    const { agent } = assistant('bot', ['one']);
    const team = new RoundRobinGroupChat([agent], { maxTurns: 1 });
    const before = [team, agent].map((one) => Object.getOwnPropertyDescriptors(one));
    const guards = [guardTeam(team, new Breaker()), guardTeam(team, new Breaker())];
    for (const at of order) guards[at]?.uninstall();
    const after = [team, agent].map((one) => Object.getOwnPropertyDescriptors(one));
    expect(after).toEqual(before);
    expect((await team.run({ task: 'Go' })).messages).toHaveLength(2);
  });
});
