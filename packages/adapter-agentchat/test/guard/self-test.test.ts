import {
  AgentTool,
  type AssistantAgent,
  CodeExecutorAgent,
  RoundRobinGroupChat,
  SelectorGroupChat,
  SocietyOfMindAgent,
} from '@teamfuse/agentchat';
import { Breaker } from '@teamfuse/core';
import { describe, expect, it } from 'vitest';
import { guardTeam } from '../../src/guard/guard-team.ts';
import { assistant, replay, Speaker, scriptedExecutor, tool } from '../support/agents.ts';

function setUp() {
  const { agent: helper } = assistant('helper', []);
  const { agent, model } = assistant('bot', [], {
    tools: [tool('look', () => ''), new AgentTool(helper)],
  });
  const codeExecutor = scriptedExecutor();
  const approvalFunc = () => ({ approved: true, reason: '' });
  const coder = new CodeExecutorAgent('coder', { codeExecutor, approvalFunc });
  const inner = new RoundRobinGroupChat([new Speaker('a', () => 'x')], { name: 'inner' });
  const society = new SocietyOfMindAgent('society', { team: inner, modelClient: replay() });
  const chooser = replay();
  const team = new SelectorGroupChat([agent, coder, society], { modelClient: chooser });
  const breaker = new Breaker();
  const guard = guardTeam(team, breaker);
  return { guard, breaker, agent, model, chooser, codeExecutor };
}

describe('a self-test', () => {
  it('[SELF1] passes when every tap works, and says which there are', async () => {
    const { guard } = setUp();
    const { isPassed, checks } = await guard.selfTest();
    expect(checks.filter(({ isWorking }) => !isWorking)).toEqual([]);
    expect(isPassed).toBe(true);
    expect(checks.map(({ owner, member }) => `${owner} ${member}`)).toEqual(
      expect.arrayContaining([
        "team 'SelectorGroupChat' modelClient",
        "team 'SelectorGroupChat' runStream",
        "team 'inner' run",
        "agent 'bot' modelClient",
        "agent 'bot' workbench",
        "agent 'coder' codeExecutor",
        "agent 'helper' run",
        "agent 'a' onMessagesStream",
      ]),
    );
  });

  it('[SELF2] reaches neither the breaker nor models, tools and programs', async () => {
    const { guard, breaker, model, chooser, codeExecutor } = setUp();
    const told: unknown[] = [];
    breaker.on('signal', (signal) => told.push(signal));
    await guard.selfTest();
    expect([told, model.calls, chooser.calls, codeExecutor.ran]).toEqual([[], [], [], []]);
    expect(breaker.conversation().state.status).toBe('closed');
  });

  it('[SELF3] names a part that somebody has replaced since', async () => {
    const { guard, agent } = setUp();
    (agent as AssistantAgent).modelClient = replay();
    const { isPassed, checks } = await guard.selfTest();
    expect(isPassed).toBe(false);
    expect(checks.filter(({ isWorking }) => !isWorking)).toEqual([
      {
        owner: "agent 'bot'",
        member: 'modelClient',
        isWorking: false,
        problem: 'something else has replaced it',
      },
    ]);
  });

  it('[SELF3] fails once the guard is uninstalled', async () => {
    const { guard } = setUp();
    guard.uninstall();
    expect(await guard.selfTest()).toEqual({ isPassed: false, checks: [], unguarded: [] });
  });
});
