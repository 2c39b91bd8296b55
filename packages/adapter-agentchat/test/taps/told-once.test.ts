import {
  CodeExecutorAgent,
  HandoffTermination,
  MessageFilterAgent,
  type Response,
  RoundRobinGroupChat,
  Swarm,
  TextMessage,
  UserProxyAgent,
  type Workbench,
} from '@teamfuse/agentchat';
import { Breaker } from '@teamfuse/core';
import { describe, expect, it } from 'vitest';
import { BreakerTermination } from '../../src/breaker-termination.ts';
import { guardTeam } from '../../src/guard/guard-team.ts';
import {
  assistant,
  callsTool,
  plainWorkbench,
  replay,
  Speaker,
  scriptedExecutor,
  tool,
} from '../support/agents.ts';
import { text, toolGave } from '../support/items.ts';
import { ofKind, recorded } from '../support/signals.ts';

const approvalFunc = () => ({ approved: true, reason: '' });
const code = '```python\nprint(1/0)\n```';

function guarded(breaker = new Breaker()) {
  const signals = recorded(breaker);
  return { breaker, signals, terminationCondition: new BreakerTermination(breaker) };
}

describe('a guard beside a condition', () => {
  it('[ONE1] tells what an executor without a model ran once, with its code', async () => {
    const { breaker, signals, terminationCondition } = guarded();
    const runner = new CodeExecutorAgent('runner', {
      codeExecutor: scriptedExecutor({ exitCode: 1, output: 'ZeroDivisionError' }),
      approvalFunc,
    });
    const team = new RoundRobinGroupChat([new Speaker('writer', () => `Run\n${code}`), runner], {
      terminationCondition,
      maxTurns: 2,
    });
    guardTeam(team, breaker);
    await team.run({ task: 'Divide' });
    expect(ofKind(signals, 'execution')).toMatchObject([
      {
        agent: 'runner',
        language: 'python',
        code: 'print(1/0)',
        exitCode: 1,
        output: 'ZeroDivisionError',
      },
    ]);
    expect(ofKind(signals, 'message').map(({ agent }) => agent)).toEqual(['writer']);
  });

  it('[ONE1] tells the code runs of an agent with a model, which no condition sees', async () => {
    const { breaker, signals, terminationCondition } = guarded();
    const coder = new CodeExecutorAgent('coder', {
      codeExecutor: scriptedExecutor({ exitCode: 1, output: 'x' }, { exitCode: 0, output: '7' }),
      modelClient: replay(code, '{"retry":true,"reason":"typo"}', code, 'It is 7'),
      maxRetriesOnError: 1,
      approvalFunc,
    });
    const team = new RoundRobinGroupChat([coder], { terminationCondition, maxTurns: 1 });
    guardTeam(team, breaker);
    await team.run({ task: 'Divide' });
    expect(ofKind(signals, 'execution').map(({ exitCode }) => exitCode)).toEqual([1, 0]);
    expect(ofKind(signals, 'usage')).toHaveLength(4);
  });

  it('[ONE2] tells each call of a tool once, also of calls with one id, and those of no tool', async () => {
    const { breaker, signals, terminationCondition } = guarded();
    const { agent } = assistant(
      'bot',
      [callsTool('look', { n: 1 }), callsTool('look', { n: 2 }), callsTool('see'), 'Done'],
      { tools: [tool('look', () => 'seen')], maxToolIterations: 4 },
    );
    const team = new RoundRobinGroupChat([agent], { terminationCondition, maxTurns: 1 });
    guardTeam(team, breaker);
    await team.run({ task: 'Go' });
    expect(ofKind(signals, 'tool-call')).toMatchObject([
      { tool: 'look', args: { n: 1 }, result: 'seen', callId: '1' },
      { tool: 'look', args: { n: 2 }, result: 'seen' },
      { tool: 'see', error: { message: "Error: tool 'see' not found in any workbench" } },
    ]);
  });

  it('[ONE2] tells each call once of a workbench that does not stream', async () => {
    const { breaker, signals, terminationCondition } = guarded();
    const { agent } = assistant('bot', [callsTool('look', { n: 1 }), 'Done'], {
      workbench: plainWorkbench('look', ({ callId }) => `seen by ${callId}`),
      maxToolIterations: 2,
    });
    const team = new RoundRobinGroupChat([agent], { terminationCondition, maxTurns: 1 });
    guardTeam(team, breaker);
    expect(agent.workbench[0]).not.toHaveProperty('callToolStream');
    await team.run({ task: 'Go' });
    expect(ofKind(signals, 'tool-call')).toMatchObject([
      { agent: 'bot', tool: 'look', args: { n: 1 }, callId: '1', result: 'seen by 1' },
    ]);
  });

  it('[ONE2] tells a call once that its agent makes without an id', async () => {
    class Handy extends Speaker {
      readonly workbench: Workbench = plainWorkbench('look', () => 'seen');

      override async onMessages(...given: Parameters<Speaker['onMessages']>): Promise<Response> {
        const { content } = await this.workbench.callTool('look', { n: 1 });
        const innerMessages = [toolGave(this.name, 'any', 'look', content)];
        return { ...(await super.onMessages(...given)), innerMessages };
      }
    }
    const { breaker, signals, terminationCondition } = guarded();
    const handy = new Handy('handy', () => 'Done');
    const team = new RoundRobinGroupChat([handy], { terminationCondition, maxTurns: 1 });
    guardTeam(team, breaker);
    await team.run({ task: 'Go' });
    expect(ofKind(signals, 'tool-call')).toMatchObject([
      { tool: 'look', args: { n: 1 }, result: 'seen' },
    ]);
  });

  it('[ONE2] tells a call once of an agent that asks itself', async () => {
    class Recursive extends Speaker {
      readonly workbench: Workbench = plainWorkbench('look', () => 'seen');

      override async onMessages(): Promise<Response> {
        const innerMessages = [toolGave(this.name, 'any', 'look', 'seen')];
        for await (const response of this.onMessagesStream()) return { ...response, innerMessages };
        throw new Error('no answer');
      }

      override async *onMessagesStream(): AsyncGenerator<Response> {
        await this.workbench.callTool('look', {});
        yield { chatMessage: text(this.name, 'Done') };
      }
    }
    const { breaker, signals } = guarded();
    const agent = new Recursive('a', () => '');
    guardTeam(new RoundRobinGroupChat([agent]), breaker);
    await agent.onMessages();
    expect(ofKind(signals, 'tool-call')).toHaveLength(1);
    expect(ofKind(signals, 'message')).toMatchObject([{ text: 'Done' }]);
  });

  it('[ONE2] tells a call that is made in nobody’s turn', async () => {
    const { breaker, signals } = guarded();
    const { agent } = assistant('bot', [], { tools: [tool('look', () => 'seen')] });
    guardTeam(new RoundRobinGroupChat([agent]), breaker);
    expect(await agent.workbench[0]?.callTool('look', {})).toMatchObject({ content: 'seen' });
    expect(ofKind(signals, 'tool-call')).toMatchObject([{ tool: 'look', result: 'seen' }]);
  });

  it('[ONE3] tells handing off by the handoff alone', async () => {
    const { breaker, signals, terminationCondition } = guarded();
    const { agent } = assistant('bot', [callsTool('transfer_to_user')], { handoffs: ['user'] });
    const team = new Swarm([agent], {
      terminationCondition: terminationCondition.or(new HandoffTermination('user')),
    });
    guardTeam(team, breaker);
    await team.run({ task: 'Go' });
    expect(ofKind(signals, 'tool-call')).toEqual([]);
    expect(ofKind(signals, 'handoff')).toMatchObject([{ agent: 'bot', to: 'user' }]);
  });

  it('[ONE4] tells a person’s answer as such, with the time it took', async () => {
    let now = 0;
    const { breaker, signals, terminationCondition } = guarded(new Breaker({ now: () => now }));
    const inputFunc = () => {
      now += 5000;
      return 'Go on';
    };
    const team = new RoundRobinGroupChat([new UserProxyAgent('boss', { inputFunc })], {
      terminationCondition,
      maxTurns: 1,
    });
    guardTeam(team, breaker);
    await team.run({ task: 'Go' });
    expect(ofKind(signals, 'human-input')).toMatchObject([
      { agent: 'user', text: 'Go' },
      { agent: 'boss', text: 'Go on', waitedMs: 5000 },
    ]);
    expect(ofKind(signals, 'message')).toEqual([]);
  });

  it('[ONE5] tells the task once, whether it is a text or messages, and each time it is put', async () => {
    const { breaker, signals, terminationCondition } = guarded();
    const team = new RoundRobinGroupChat([new Speaker('a', (turn) => `a${turn}`)], {
      terminationCondition,
      maxTurns: 1,
    });
    guardTeam(team, breaker);
    const message = new TextMessage({ source: 'user', content: 'Twice' });
    await team.run({ task: 'Once' });
    await team.run({ task: message });
    await team.run({ task: [message] });
    expect(ofKind(signals, 'human-input').map(({ text }) => text)).toEqual([
      'Once',
      'Twice',
      'Twice',
    ]);
    expect(ofKind(signals, 'message')).toHaveLength(3);
  });

  it('[ONE5] tells a task once that is not to be shown', async () => {
    const { breaker, signals, terminationCondition } = guarded();
    const team = new RoundRobinGroupChat([new Speaker('a', () => 'Done')], {
      terminationCondition,
      maxTurns: 1,
    });
    guardTeam(team, breaker);
    await team.run({ task: 'Go', outputTaskMessages: false });
    expect(signals.map(({ kind }) => kind)).toEqual(['human-input', 'message']);
  });

  it.each([
    ['a message', text('user', 'Go')],
    ['messages', [text('user', 'Go'), text('archive', 'Notes')]],
  ])('[ONE5] tells a task in %s once, and before anything is done', async (_, task) => {
    const breaker = new Breaker();
    const signals = recorded(breaker);
    const { agent } = assistant('bot', ['Done']);
    const team = new RoundRobinGroupChat([agent], { maxTurns: 1 });
    guardTeam(team, breaker);
    await team.run({ task });
    const given = [task].flat().length;
    expect(signals[0]).toMatchObject({ kind: 'human-input', text: 'Go' });
    expect(signals.slice(given).map(({ kind }) => kind)).toEqual([
      'model-request',
      'usage',
      'message',
    ]);
  });

  it('[ONE6] tells what a filtered agent says once', async () => {
    const { breaker, signals, terminationCondition } = guarded();
    const wrappedAgent = new Speaker('a', (turn) => `a${turn}`);
    const agent = new MessageFilterAgent('a', { wrappedAgent, filter: { perSource: [] } });
    const team = new RoundRobinGroupChat([agent], { terminationCondition, maxTurns: 2 });
    guardTeam(team, breaker);
    await team.run({ task: 'Go' });
    expect(ofKind(signals, 'message')).toHaveLength(2);
  });

  it('[ONE7] tells a team’s own events, which no condition sees', async () => {
    const { breaker, signals, terminationCondition } = guarded();
    const team = new RoundRobinGroupChat([new Speaker('a', (turn) => `a${turn}`)], {
      terminationCondition,
      maxTurns: 2,
      emitTeamEvents: true,
    });
    guardTeam(team, breaker);
    await team.run({ task: 'Go' });
    expect(ofKind(signals, 'selection')).toMatchObject([{ chosen: 'a' }, { chosen: 'a' }]);
  });

  it('[ONE8] is not made to forget by a long stream of pieces', async () => {
    const { breaker, signals, terminationCondition } = guarded();
    const chunks = Array.from({ length: 10_000 }, () => 'x');
    const { agent } = assistant('bot', [callsTool('look'), { content: 'Done', chunks }], {
      tools: [tool('look', () => 'seen')],
      maxToolIterations: 2,
      modelClientStream: true,
    });
    const team = new RoundRobinGroupChat([agent], { terminationCondition, maxTurns: 1 });
    guardTeam(team, breaker);
    await team.run({ task: 'Go' });
    expect(ofKind(signals, 'tool-call')).toHaveLength(1);
    expect(ofKind(signals, 'usage')).toHaveLength(2);
  });
});
