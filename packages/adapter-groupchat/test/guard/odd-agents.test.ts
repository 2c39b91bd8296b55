import { InvalidOptionError } from '@teamfuse/core';
import { GuardInstallError } from '@teamfuse/core/kit';
import { describe, expect, test } from 'vitest';
import { type GuardProblem, guardAgents } from '../../src/index.ts';
import { bareBreaker } from '../support/bare-breaker.ts';
import { PlainAgent } from '../support/plain-agent.ts';

describe('what is no agent', () => {
  test.each<[unknown, string, string]>([
    [null, 'agent 1', 'an agent with a method registerReply'],
    ['ann', 'agent 1', 'an agent with a method registerReply'],
    [{ name: 'ann' }, 'ann', 'an agent with a method registerReply'],
    [{ name: 7, registerReply: () => {} }, 'agent 1', 'an agent with a name'],
  ])('[GCI2] is refused: %j', (agent, name, expected) => {
    expect(() => guardAgents([agent as never], bareBreaker())).toThrow(
      new GuardInstallError(name, expected),
    );
  });

  test.each([
    [{ onTrip: 'explode' }, 'onTrip', 'terminate, reply, throw'],
    [{ scope: 'team' }, 'scope', 'run, breaker'],
  ])('[GCI7] is no option either: %j', (options, option, expected) => {
    const guard = () => guardAgents([new PlainAgent('A')], bareBreaker(), options as never);
    const [received] = Object.values(options);
    expect(guard).toThrow(new InvalidOptionError(option, expected, received));
  });

  test('[GCI7] is one with a name that there is none of', () => {
    const options = { onTripped: 'reply' } as never;
    const guard = () => guardAgents([new PlainAgent('A')], bareBreaker(), options);
    expect(guard).toThrow(expect.objectContaining({ option: 'onTripped' }));
  });
});

describe('a group', () => {
  test.each([
    [{ agents: [new PlainAgent('B')], messages: [] }, ['B']],
    [{ agents: [new PlainAgent('B')] }, []],
    [{ agents: 'B', messages: [] }, []],
  ])('[GCI9] is one with a list of agents and one of messages (%#)', (groupchat, unguarded) => {
    const problems: GuardProblem[] = [];
    const manager = Object.assign(new PlainAgent('manager'), { groupchat });
    guardAgents([manager], bareBreaker(), { onError: (problem) => problems.push(problem) });
    const text = 'members of guarded groups are not guarded: ';
    expect(problems.map(({ error }) => (error as Error).message)).toEqual(
      unguarded.map((name) => text + name),
    );
  });

  test('[GCI9] is found in the configuration of a reply function, too', () => {
    const problems: GuardProblem[] = [];
    const manager = new PlainAgent('manager');
    const config = { agents: [new PlainAgent('B'), {}], messages: [] };
    Object.assign(manager.replyFuncList[0] ?? {}, { config });
    guardAgents([manager], bareBreaker(), { onError: (problem) => problems.push(problem) });
    expect(String(problems[0]?.error)).toContain('not guarded: B, ');
  });
});
