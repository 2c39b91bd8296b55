import {
  AgentTool,
  type AssistantAgent,
  CodeExecutorAgent,
  RoundRobinGroupChat,
  SelectorGroupChat,
  SocietyOfMindAgent,
  type Team,
} from '@teamfuse/agentchat';
import { Breaker, InvalidOptionError } from '@teamfuse/core';
import { GuardInstallError } from '@teamfuse/core/kit';
import { describe, expect, it } from 'vitest';
import { BreakerTermination } from '../../src/breaker-termination.ts';
import { guardTeam } from '../../src/guard/guard-team.ts';
import { assistant, replay, Speaker, scriptedExecutor, talker, tool } from '../support/agents.ts';
import { recorded } from '../support/signals.ts';

/** A team with everything a guard can tap. */
function fullTeam(): { team: Team; parts: object[] } {
  const { agent: helper } = assistant('helper', []);
  const { agent } = assistant('bot', [], {
    tools: [tool('look', () => ''), new AgentTool(helper)],
  });
  const approvalFunc = () => ({ approved: true, reason: '' });
  const coder = new CodeExecutorAgent('coder', { codeExecutor: scriptedExecutor(), approvalFunc });
  const inner = new RoundRobinGroupChat([new Speaker('a', () => 'x')], { maxTurns: 1 });
  const society = new SocietyOfMindAgent('society', { team: inner, modelClient: replay() });
  const nested = new RoundRobinGroupChat([new Speaker('b', () => 'y')], { name: 'nested' });
  const team = new SelectorGroupChat([agent, coder, society, nested], { modelClient: replay() });
  return {
    team,
    parts: [team, agent, helper, coder, society, inner, nested, ...nested.participants],
  };
}

/** Everything public there is about an object. */
function shape(part: object): unknown {
  return Reflect.ownKeys(part).map((key) => [key, Object.getOwnPropertyDescriptor(part, key)]);
}

describe('installing a guard', () => {
  it('[INS1] leaves no trace once it is uninstalled', () => {
    const { team, parts } = fullTeam();
    const before = parts.map(shape);
    const guard = guardTeam(team, new Breaker());
    expect(parts.map(shape)).not.toEqual(before);
    guard.uninstall();
    guard.uninstall();
    expect(parts.map(shape)).toEqual(before);
  });

  it('[INS2] lets a run go on unwatched when it is uninstalled meanwhile', async () => {
    const breaker = new Breaker({ maxMessages: 3 });
    const a = new Speaker('a', (turn) => {
      if (turn === 2) guard.uninstall();
      return `a${turn}`;
    });
    const team = new RoundRobinGroupChat([a], { maxTurns: 5 });
    const guard = guardTeam(team, breaker);
    const { messages } = await team.run({ task: 'Go' });
    expect(messages).toHaveLength(6);
    expect((await team.run({ task: 'Go' })).messages).toHaveLength(6);
  });

  it('[INS2] leaves a condition to watch what is run by a way from before', async () => {
    const breaker = new Breaker();
    const signals = recorded(breaker);
    const team = new RoundRobinGroupChat([talker('a')], {
      terminationCondition: new BreakerTermination(breaker),
      maxTurns: 1,
    });
    const guard = guardTeam(team, breaker);
    const { run } = team;
    guard.uninstall();
    await run({ task: 'Go' });
    expect(signals).toMatchObject([{ kind: 'human-input', text: 'Go' }, { text: 'a1' }]);
  });

  it('[INS3] keeps what stands in for a part the same to everybody else', () => {
    const { team } = fullTeam();
    const agent = team.participants[0] as AssistantAgent;
    const { modelClient, workbench } = agent;
    guardTeam(team, new Breaker());
    expect(agent.modelClient).not.toBe(modelClient);
    expect(agent.modelClient.model).toBe('replay');
    expect(agent.modelClient.totalUsage()).toEqual({ promptTokens: 0, completionTokens: 0 });
    expect(agent.modelClient).toBeInstanceOf(modelClient.constructor);
    expect(agent.workbench).toHaveLength(workbench.length);
  });

  it.each([
    ['nothing', undefined],
    ['a string', 'team'],
    ['an agent', new Speaker('a', () => 'x')],
    ['half a team', { run: () => {}, participants: [] }],
  ])('[INS4] refuses %s for a team, saying what it expects', (_, wrong) => {
    expect(() => guardTeam(wrong as never, new Breaker())).toThrow(
      /cannot guard team: expected an object with run, runStream and participants, received/,
    );
  });

  it('[INS4] names the function that guards agents of AutoGen 0.2', () => {
    const agent = { name: 'a', registerReply: () => {} };
    expect(() => guardTeam(agent as never, new Breaker())).toThrow(
      'cannot guard team: an agent of AutoGen 0.2; use guardAgents()',
    );
  });

  it('[INS4] refuses what is no breaker, saying what it expects', () => {
    const { team } = fullTeam();
    expect(() => guardTeam(team, {} as Breaker)).toThrow(
      "cannot guard team 'SelectorGroupChat': expected a Breaker, received an object of class Object",
    );
  });

  it('[INS5] takes everything off again when a part cannot be guarded', () => {
    const { team, parts } = fullTeam();
    Object.freeze(parts[5]);
    const before = parts.map(shape);
    expect(() => guardTeam(team, new Breaker())).toThrow(
      "cannot guard team 'RoundRobinGroupChat': expected a member runStream that can be replaced",
    );
    expect(parts.map(shape)).toEqual(before);
  });

  it('[INS6] refuses to guard anything twice for the same breaker', () => {
    const { team } = fullTeam();
    const breaker = new Breaker();
    const guard = guardTeam(team, breaker);
    expect(() => guardTeam(team, breaker)).toThrow(GuardInstallError);
    guard.uninstall();
    guardTeam(team, breaker).uninstall();
  });

  it('[INS7] lets two breakers guard one team, and taken off in any order', async () => {
    const strict = new Breaker({ maxMessages: 2 });
    const team = new RoundRobinGroupChat([new Speaker('a', (turn) => `a${turn}`)], { maxTurns: 3 });
    const before = shape(team);
    const first = guardTeam(team, new Breaker({ maxMessages: 9 }));
    const second = guardTeam(team, strict);
    expect((await team.run({ task: 'Go' })).stopReason).toBe(strict.conversation().trip?.reason);
    second.uninstall();
    expect((await team.run({ task: 'Go' })).stopReason).toBe('Maximum number of turns 3 reached.');
    first.uninstall();
    expect(shape(team)).toEqual(before);
  });

  it.each([
    [{ prices: 7 }, 'prices'],
    [{ counter: 7 }, 'counter'],
    [{ nudge: 'Hey' }, 'nudge'],
    [{ onError: true }, 'onError'],
  ])('[INS8] refuses the option %j and names it', (options, option) => {
    const { team } = fullTeam();
    expect(() => guardTeam(team, new Breaker(), options as never)).toThrow(
      expect.objectContaining({ name: InvalidOptionError.name, option }),
    );
  });
});
