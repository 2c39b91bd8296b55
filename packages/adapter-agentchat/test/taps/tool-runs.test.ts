import {
  AgentTool,
  type BaseChatAgent,
  isTaskResult,
  RoundRobinGroupChat,
  type RunOptions,
  SelectorGroupChat,
  type TaskResult,
  type TaskRunner,
  TextMessage,
  UserProxyAgent,
} from '@teamfuse/agentchat';
import { Breaker } from '@teamfuse/core';
import { describe, expect, it } from 'vitest';
import { guardTeam } from '../../src/guard/guard-team.ts';
import { assistant, callsTool, replay, Speaker, talker, tool } from '../support/agents.ts';
import { ofKind, recorded } from '../support/signals.ts';
import { pair } from '../support/teams.ts';

describe('a tool of one’s own that runs an agent', () => {
  /** A boss that has a helper run once, by `run`. */
  function crew(
    helper: TaskRunner,
    { others = [], ...options }: RunOptions & { others?: BaseChatAgent[] } = {},
  ) {
    const ask = tool('ask', async () => {
      const { messages } = await helper.run({ task: 'Add 3 and 4', ...options });
      return messages.at(-1)?.toText();
    });
    const { agent: boss } = assistant('boss', [callsTool('ask'), 'Done'], {
      tools: [Object.assign(ask, { agent: helper })],
      maxToolIterations: 2,
    });
    const maxTurns = 1 + others.length;
    return new RoundRobinGroupChat([boss, ...others], { name: 'outer', maxTurns });
  }

  it('[CHN5] opens a nested chat, and gets its answer', async () => {
    const breaker = new Breaker();
    const signals = recorded(breaker);
    const team = crew(assistant('helper', ['It is 7']).agent);
    guardTeam(team, breaker);
    await team.run({ task: 'Go' });
    const place = { agent: 'boss', depth: 1, path: ['outer', 'helper'] };
    expect(ofKind(signals, 'nested-start')).toMatchObject([
      { ...place, trigger: 'tool:ask', text: 'Add 3 and 4' },
    ]);
    expect(ofKind(signals, 'nested-end')).toMatchObject([{ ...place, agent: 'helper' }]);
    expect(ofKind(signals, 'usage')).toMatchObject([
      { agent: 'boss' },
      { agent: 'helper', depth: 1 },
      { agent: 'boss' },
    ]);
    expect(ofKind(signals, 'tool-call')).toMatchObject([{ tool: 'ask', result: 'It is 7' }]);
    expect(ofKind(signals, 'human-input')).toHaveLength(1);
  });

  it('[CHN5] opens one chat where the run of the agent is built on its stream', async () => {
    class Streaming extends Speaker {
      override async run(options: RunOptions = {}): Promise<TaskResult> {
        for await (const item of this.runStream(options)) if (isTaskResult(item)) return item;
        throw new Error('no result');
      }
    }
    const breaker = new Breaker();
    const signals = recorded(breaker);
    const team = crew(new Streaming('helper', () => 'It is 7'));
    guardTeam(team, breaker);
    await team.run({ task: 'Go' });
    expect(ofKind(signals, 'nested-start')).toMatchObject([{ path: ['outer', 'helper'] }]);
    expect(ofKind(signals, 'message')).toMatchObject([
      { agent: 'helper', depth: 1, text: 'It is 7' },
      { agent: 'boss', text: 'Done' },
    ]);
  });

  it('[CHN5] opens one chat where the stream of the agent is built on its run', async () => {
    class Waiting extends Speaker {
      override async *runStream(options: RunOptions = {}): AsyncGenerator<TaskResult> {
        yield await this.run(options);
      }
    }
    const problems: unknown[] = [];
    const breaker = new Breaker();
    const signals = recorded(breaker);
    const helper = new Waiting('helper', () => 'It is 7');
    const { agent: boss } = assistant('boss', [callsTool('helper', { task: 'Add' }), 'Done'], {
      tools: [new AgentTool(helper)],
      maxToolIterations: 2,
    });
    const team = new RoundRobinGroupChat([boss], { name: 'outer', maxTurns: 1 });
    guardTeam(team, breaker, { onError: (problem) => problems.push(problem) });
    await team.run({ task: 'Go' });
    expect(ofKind(signals, 'nested-start')).toMatchObject([{ path: ['outer', 'helper'] }]);
    expect(ofKind(signals, 'nested-end')).toHaveLength(1);
    expect(problems).toEqual([]);
  });

  it('[CHN5] opens another chat each time that the agent sets itself to work', async () => {
    const breaker = new Breaker();
    const signals = recorded(breaker);
    const helper: Speaker = new Speaker('helper', async (turn) => {
      if (turn < 3) await helper.run({ task: `Part ${turn}` });
      return `Part ${turn} is done`;
    });
    const team = crew(helper);
    guardTeam(team, breaker);
    await team.run({ task: 'Go' });
    expect(ofKind(signals, 'nested-start')).toMatchObject([
      { agent: 'boss', depth: 1 },
      { agent: 'helper', depth: 2, text: 'Part 1' },
      { agent: 'helper', depth: 3, path: ['outer', 'helper', 'helper', 'helper'] },
    ]);
  });

  it('[CHN5] opens a chat of the agent’s own where nobody’s turn it is', async () => {
    const breaker = new Breaker();
    const signals = recorded(breaker);
    const helper = talker('helper');
    const { agent: boss } = assistant('boss', ['Done'], {
      tools: [
        Object.assign(
          tool('ask', () => ''),
          { agent: helper },
        ),
      ],
    });
    const team = new SelectorGroupChat([boss, talker('a')], {
      name: 'outer',
      modelClient: replay(),
      maxTurns: 1,
      selectorFunc: async () => {
        await helper.run({ task: 'Who is next?' });
        return 'boss';
      },
    });
    guardTeam(team, breaker);
    await team.run({ task: 'Go' });
    expect(ofKind(signals, 'nested-start')).toMatchObject([
      { agent: 'helper', path: ['outer', 'helper'], trigger: 'agent:helper', text: 'Who is next?' },
    ]);
  });

  it.each([
    ['an agent', talker('helper'), {}],
    ['a team', pair('inner', 'a'), {}],
    ['a team that does not show it', pair('inner', 'a'), { outputTaskMessages: false }],
  ])('[ONE4] keeps no person from saying what was said to %s', async (_, helper, options) => {
    const breaker = new Breaker();
    const signals = recorded(breaker);
    const person = new UserProxyAgent('user', { inputFunc: () => 'Add 3 and 4' });
    const team = crew(helper, { others: [person], ...options });
    guardTeam(team, breaker);
    await team.run({ task: 'Go' });
    expect(ofKind(signals, 'human-input').map(({ text }) => text)).toEqual(['Go', 'Add 3 and 4']);
  });

  it('[CHN5] has a task that is no message, even if it is put as one', async () => {
    const breaker = new Breaker();
    const signals = recorded(breaker);
    const task = [new TextMessage({ source: 'user', content: 'Add 3 and 4' })];
    const team = crew(pair('inner', 'a', 'b'), { task });
    guardTeam(team, breaker);
    await team.run({ task: 'Go' });
    expect(ofKind(signals, 'nested-start')).toMatchObject([{ text: 'Add 3 and 4' }]);
    expect(ofKind(signals, 'message').map(({ text }) => text)).toEqual(['a1', 'b1', 'Done']);
    expect(ofKind(signals, 'human-input')).toHaveLength(1);
  });

  it('[CHN7] lets the agent run by itself outside of the team', async () => {
    const breaker = new Breaker();
    const signals = recorded(breaker);
    const helper = talker('helper');
    guardTeam(crew(helper), breaker);
    await helper.run({ task: 'Hello' });
    for await (const _ of helper.runStream({ task: 'Hello' }));
    expect(ofKind(signals, 'nested-start')).toEqual([]);
    expect(ofKind(signals, 'message')).toMatchObject([{ text: 'helper1' }, { text: 'helper2' }]);
  });

  it('[CHN6] begins nothing in it once the breaker is open', async () => {
    const { agent: helper, model } = assistant('helper', ['It is 7']);
    const team = crew(helper);
    const breaker = new Breaker({ scope: 'breaker' });
    breaker.on('signal', ({ signal }) => {
      if (signal.kind === 'nested-start') breaker.stop('enough');
    });
    guardTeam(team, breaker);
    const { stopReason } = await team.run({ task: 'Go' });
    expect(stopReason).toBe('enough');
    expect(model.calls).toHaveLength(0);
  });
});
