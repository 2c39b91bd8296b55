import {
  type CancelOptions,
  type ChatAgent,
  CodeExecutorAgent,
  RoundRobinGroupChat,
} from '@teamfuse/agentchat';
import { Breaker } from '@teamfuse/core';
import { describe, expect, it } from 'vitest';
import { guardTeam } from '../src/guard/guard-team.ts';
import { GuardedAgent } from '../src/guarded-agent.ts';
import { assistant, callsTool, replay, Speaker, scriptedExecutor, tool } from './support/agents.ts';
import { ofKind, recorded } from './support/signals.ts';
import { fact } from './support/teams.ts';

describe('GuardedAgent', () => {
  it('[AGT1] ends the run of a team that knows nothing of a breaker', async () => {
    const breaker = new Breaker({ maxMessages: 2 });
    const a = new Speaker('a', (turn) => `a${turn}`);
    const team = new RoundRobinGroupChat([
      new GuardedAgent(a, breaker),
      new Speaker('b', (turn) => `b${turn}`),
    ]);
    const { messages, stopReason } = await team.run({ task: 'Go' });
    expect(messages.map((message) => message.toText())).toEqual(['Go', 'a1', 'b1', 'a2', 'b2']);
    expect(stopReason).toBe(breaker.conversation().trip?.reason);
    expect(a.received).toHaveLength(2);
  });

  it('[AGT2] tells what the agent says and does, its usage included', async () => {
    const breaker = new Breaker();
    const signals = recorded(breaker);
    const { agent } = assistant('bot', [callsTool('look'), 'Done'], {
      tools: [tool('look', () => 'seen')],
      maxToolIterations: 2,
    });
    const prices = { price: () => ({ nanoUsd: 1_000_000 }) };
    await new GuardedAgent(agent, breaker, { models: 'gpt-4o', prices }).run({ task: 'Go' });
    expect(ofKind(signals, 'tool-call')).toMatchObject([{ tool: 'look', result: 'seen' }]);
    expect(ofKind(signals, 'usage')).toMatchObject([
      { model: 'gpt-4o', costUsd: 0.001 },
      { model: 'gpt-4o', costUsd: 0.001 },
    ]);
    expect(ofKind(signals, 'message')).toEqual([{ kind: 'message', agent: 'bot', text: 'Done' }]);
  });

  it('[AGT2] tells the code that the agent runs', async () => {
    const breaker = new Breaker();
    const signals = recorded(breaker);
    const coder = new CodeExecutorAgent('coder', {
      codeExecutor: scriptedExecutor({ exitCode: 0, output: '7' }),
      modelClient: replay('```python\nprint(7)\n```', 'It is 7'),
      approvalFunc: () => ({ approved: true, reason: '' }),
    });
    const team = new RoundRobinGroupChat([new GuardedAgent(coder, breaker)], { maxTurns: 1 });
    await team.run({ task: 'Go' });
    expect(ofKind(signals, 'execution')).toMatchObject([{ agent: 'coder', output: '7' }]);
  });

  it('[AGT3] is the agent it wraps to everybody else', async () => {
    const { agent } = assistant('bot', ['Hello']);
    const guarded = new GuardedAgent(agent, new Breaker());
    expect([guarded.name, guarded.description]).toEqual(['bot', agent.description]);
    expect(guarded.producedMessageTypes).toEqual(agent.producedMessageTypes);
    await guarded.run({ task: 'Go' });
    const state = await guarded.saveState();
    expect(state).toEqual(await agent.saveState());
    await guarded.onReset();
    expect(await agent.saveState()).not.toEqual(state);
    await guarded.loadState(state);
    expect(await agent.saveState()).toEqual(state);
  });

  it('[AGT3] hands on what it is asked to do', async () => {
    const asked: unknown[] = [];
    class Asked extends Speaker {
      override async onPause(options?: CancelOptions): Promise<void> {
        asked.push(['pause', options]);
      }
      override async onResume(options?: CancelOptions): Promise<void> {
        asked.push(['resume', options]);
      }
      override async close(): Promise<void> {
        asked.push('close');
      }
    }
    const guarded = new GuardedAgent(new Asked('a', fact), new Breaker());
    const { signal } = new AbortController();
    await guarded.onPause({ signal });
    await guarded.onResume({ signal });
    await guarded.close();
    expect(asked).toEqual([['pause', { signal }], ['resume', { signal }], 'close']);
  });

  it('[AGT4] may take part in a guarded team: each thing is told once', async () => {
    const breaker = new Breaker();
    const signals = recorded(breaker);
    const { agent } = assistant('bot', ['Hello']);
    const team = new RoundRobinGroupChat([new GuardedAgent(agent, breaker)], { maxTurns: 1 });
    guardTeam(team, breaker);
    await team.run({ task: 'Go' });
    expect(signals.map(({ kind }) => kind)).toEqual([
      'human-input',
      'model-request',
      'usage',
      'message',
    ]);
  });

  it('[AGT5] refuses what is no breaker, naming the agent', () => {
    expect(() => new GuardedAgent(new Speaker('a', fact), {} as Breaker)).toThrow(
      "cannot guard agent 'a': expected a Breaker, received an object of class Object",
    );
  });

  it('[AGT5] refuses what is no agent, saying what it expects', () => {
    expect(() => new GuardedAgent({} as ChatAgent, new Breaker())).toThrow(
      'cannot guard agent: expected an object with onMessages and onMessagesStream, received an object of class Object',
    );
  });
});
