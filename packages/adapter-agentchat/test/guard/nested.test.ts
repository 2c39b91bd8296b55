import {
  AgentTool,
  RoundRobinGroupChat,
  SocietyOfMindAgent,
  TeamTool,
  TextMessage,
} from '@teamfuse/agentchat';
import { Breaker, type Signal } from '@teamfuse/core';
import { describe, expect, it } from 'vitest';
import { BreakerTermination } from '../../src/breaker-termination.ts';
import { guardTeam } from '../../src/guard/guard-team.ts';
import { assistant, callsTool, replay, talker } from '../support/agents.ts';
import { ofKind, recorded } from '../support/signals.ts';
import { pair } from '../support/teams.ts';

const brief = ({ kind, agent, depth = 0 }: Signal): string => `${depth} ${kind} ${agent}`;

describe('an inner team', () => {
  it('[CHN1] that takes part is a nested chat, one deeper, on its own path', async () => {
    const breaker = new Breaker();
    const signals = recorded(breaker);
    const team = new RoundRobinGroupChat([pair('inner', 'a', 'b')], { name: 'outer', maxTurns: 1 });
    guardTeam(team, breaker);
    await team.run({ task: 'Go' });
    const chatId = expect.any(String);
    const place = { agent: 'inner', chatId, depth: 1, path: ['outer', 'inner'] };
    expect(signals).toEqual([
      { kind: 'human-input', agent: 'user', text: 'Go', isAutomatic: true },
      { kind: 'nested-start', ...place, trigger: 'agent:inner', text: 'Go' },
      { kind: 'message', agent: 'a', depth: 1, text: 'a1' },
      { kind: 'message', agent: 'b', depth: 1, text: 'b1' },
      { kind: 'nested-end', ...place, text: 'b1' },
    ]);
    expect(signals[1]?.chatId).toBe(signals[4]?.chatId);
  });

  it('[CHN2] is guarded like the outer one, and ends it', async () => {
    const breaker = new Breaker({ maxMessages: 1 });
    const team = new RoundRobinGroupChat([pair('inner', 'a', 'b'), talker('c')]);
    guardTeam(team, breaker);
    const { messages, stopReason } = await team.run({ task: 'Go' });
    expect(stopReason).toBe(breaker.conversation().trip?.reason);
    expect(messages.map((message) => message.toText())).toEqual(['Go', 'a1']);
  });

  it('[CHN3] does not restart the limits of the outer run when it stops', async () => {
    const breaker = new Breaker({ maxMessages: 5 });
    const inner = new RoundRobinGroupChat([talker('a'), talker('b')], {
      name: 'inner',
      maxTurns: 2,
      terminationCondition: new BreakerTermination(breaker),
    });
    const team = new RoundRobinGroupChat([inner], { maxTurns: 9 });
    guardTeam(team, breaker);
    const { messages } = await team.run({ task: 'Go' });
    expect(messages).toHaveLength(6);
  });

  it('[CHN4] of a society of mind is seen inside', async () => {
    const breaker = new Breaker();
    const told: string[] = [];
    breaker.on('signal', ({ signal }) => told.push(brief(signal)));
    const society = new SocietyOfMindAgent('society', {
      team: pair('inner', 'a', 'b'),
      modelClient: replay('In short'),
    });
    const team = new RoundRobinGroupChat([society], { maxTurns: 1 });
    guardTeam(team, breaker);
    await team.run({ task: 'Go' });
    expect(told).toEqual([
      '0 human-input user',
      '1 nested-start society',
      '1 message a',
      '1 message b',
      '1 nested-end inner',
      '0 model-request society',
      '0 usage society',
      '0 message society',
    ]);
  });

  it('[CHN4] of a society of mind that trips keeps the model from summing up', async () => {
    const modelClient = replay('In short');
    const society = new SocietyOfMindAgent('society', {
      team: pair('inner', 'a', 'b'),
      modelClient,
    });
    const breaker = new Breaker({ maxMessages: 1 });
    const team = new RoundRobinGroupChat([society]);
    guardTeam(team, breaker);
    const { messages, stopReason } = await team.run({ task: 'Go' });
    expect(stopReason).toBe(breaker.conversation().trip?.reason);
    expect(messages.map((message) => message.toText())).toEqual(['Go', 'a1']);
    expect(modelClient.calls).toHaveLength(0);
  });
});

describe('a tool that puts somebody to work', () => {
  it('[CHN5] opens a nested chat, triggered by the tool', async () => {
    const breaker = new Breaker();
    const signals = recorded(breaker);
    const { agent: helper } = assistant('helper', ['It is 7']);
    const { agent } = assistant('boss', [callsTool('helper', { task: 'Add 3 and 4' }), 'Seven'], {
      tools: [new AgentTool(helper)],
      maxToolIterations: 2,
    });
    const team = new RoundRobinGroupChat([agent], { name: 'outer', maxTurns: 1 });
    guardTeam(team, breaker);
    await team.run({ task: 'Go' });
    expect(ofKind(signals, 'nested-start')).toMatchObject([
      {
        agent: 'boss',
        depth: 1,
        path: ['outer', 'helper'],
        trigger: 'tool:helper',
        text: 'Add 3 and 4',
      },
    ]);
    expect(ofKind(signals, 'message')).toEqual([
      { kind: 'message', agent: 'helper', depth: 1, text: 'It is 7' },
      { kind: 'message', agent: 'boss', text: 'Seven' },
    ]);
    expect(ofKind(signals, 'tool-call')).toMatchObject([{ agent: 'boss', tool: 'helper' }]);
    expect(ofKind(signals, 'human-input')).toHaveLength(1);
  });

  it('[CHN6] stops with everything around it when the breaker opens inside', async () => {
    const breaker = new Breaker({ maxMessages: 1 });
    const { agent, model } = assistant('boss', [callsTool('crew', { task: 'Go' }), 'Done'], {
      tools: [new TeamTool(pair('inner', 'a', 'b'), { name: 'crew', description: 'works' })],
      maxToolIterations: 2,
    });
    const team = new RoundRobinGroupChat([agent]);
    guardTeam(team, breaker);
    const { messages, stopReason } = await team.run({ task: 'Begin' });
    expect(stopReason).toBe(breaker.conversation().trip?.reason);
    expect(model.calls).toHaveLength(1);
    expect(messages.map((message) => message.toText()).slice(2)).toEqual(['Go', 'a1']);
  });
});

describe('a member of a guarded team', () => {
  it('[CHN7] that is asked on its own account is asked like any other, and leaves no run behind', async () => {
    const breaker = new Breaker();
    const a = talker('a');
    const team = new RoundRobinGroupChat([a]);
    guardTeam(team, breaker);
    const task = new TextMessage({ source: 'user', content: 'Hello' });
    expect((await a.run({ task })).messages.at(-1)?.toText()).toBe('a1');
    breaker.stop('closed');
    await expect(a.run({ task })).rejects.toMatchObject({ code: 'TRIPPED' });
  });
});
