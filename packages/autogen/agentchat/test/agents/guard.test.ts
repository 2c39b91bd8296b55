import {
  AgentTool,
  AssistantAgent,
  type ChatAgent,
  CodeExecutorAgent,
  isRefusal,
  RoundRobinGroupChat,
  SocietyOfMindAgent,
  type Team,
  TeamTool,
  UserProxyAgent,
  type Workbench,
} from '@teamfuse/agentchat';
import type { ChatCompletionClient } from '@teamfuse/models';
import { describe, expect, it } from 'vitest';
import { ScriptedAgent } from '../teams/scripted-agent.ts';
import { calls, replay, scriptedExecutor, tool } from './scripts.ts';

const refuse = (): never => {
  throw Object.assign(new Error('going in circles'), { name: 'TrippedError', code: 'TRIPPED' });
};

/** A client in the place of another that refuses every call. */
function refusing(client: ChatCompletionClient): ChatCompletionClient {
  return Object.create(client, {
    create: { value: async () => refuse() },
    createStream: {
      value: async function* () {
        yield refuse();
      },
    },
  });
}

function helper(): AssistantAgent {
  const agent = new AssistantAgent('helper', { modelClient: replay('unused') });
  agent.modelClient = refusing(agent.modelClient);
  return agent;
}

const CODE = 'Look:\n```python\nprint(1)\n```';

describe('a guard', () => {
  it.each<[string, () => { run(options: { task: string }): Promise<unknown> }]>([
    ['a model call', () => helper()],
    [
      'a streamed model call',
      () => {
        const agent = new AssistantAgent('a', {
          modelClient: replay('x'),
          modelClientStream: true,
        });
        agent.modelClient = refusing(agent.modelClient);
        return agent;
      },
    ],
    ['a tool', () => assistant({ tools: [tool('f', refuse)] })],
    [
      'a workbench',
      () => {
        const workbench: Workbench = {
          listTools: async () => [{ name: 'f' }],
          callTool: async () => refuse(),
        };
        return assistant({ workbench });
      },
    ],
    ['the list of tools', () => assistant({ workbench: { listTools: refuse, callTool: refuse } })],
    ['the model of an agent used as a tool', () => assistant({ tools: [named(helper())] })],
    ['a person', () => new UserProxyAgent('u', { inputFunc: refuse })],
    [
      'an executor',
      () => new CodeExecutorAgent('c', { codeExecutor: { executeCodeBlocks: refuse } }),
    ],
    [
      'the correction of code that failed',
      () => {
        const codeExecutor = scriptedExecutor({ exitCode: 1, output: 'bad' });
        const modelClient = replay(CODE, Object.assign(new Error('x'), { code: 'TRIPPED' }), CODE);
        return new CodeExecutorAgent('c', { codeExecutor, modelClient, maxRetriesOnError: 3 });
      },
    ],
  ])('[GUARD1] that refuses %s ends the turn of a lone agent', async (_, make) => {
    await expect(make().run({ task: CODE })).rejects.toSatisfy(isRefusal);
  });

  it.each<[string, (inner: Team) => ChatAgent | Team]>([
    ['that takes part', (inner) => inner],
    [
      'of a society of mind',
      (team) => new SocietyOfMindAgent('som', { team, modelClient: replay('unused') }),
    ],
    [
      'used as a tool',
      (team) => assistant({ tools: [new TeamTool(team, { name: 'f', description: 'd' })] }),
    ],
  ])('[GUARD3] that refuses inside a team %s ends the run around it', async (_, wrap) => {
    const inner = new RoundRobinGroupChat([new ScriptedAgent('first', 'hello'), helper()]);
    const outer = new RoundRobinGroupChat([wrap(inner)], { maxTurns: 3 });
    const { messages, stopReason, refusal } = await outer.run({ task: 't' });
    expect(stopReason).toBe('going in circles');
    expect(refusal).toMatchObject({ name: 'TrippedError', code: 'TRIPPED' });
    expect(messages.map((message) => message.toText())).toContain('hello');
  });

  it('[GUARD3] that refuses ends a team with its reason and what was said so far', async () => {
    const team = new RoundRobinGroupChat([new ScriptedAgent('a', 'hello'), helper()]);
    const { messages, stopReason } = await team.run({ task: 't' });
    expect(messages.map((message) => message.toText())).toEqual(['t', 'hello']);
    expect(stopReason).toBe('going in circles');
  });

  it('[GUARD4] can be put in front of every part an agent works with, and be taken away again', async () => {
    const modelClient = replay(calls('f'), 'done');
    const agent = new AssistantAgent('a', { modelClient, tools: [tool('f', () => 'x')] });
    const { workbench } = agent;
    agent.modelClient = refusing(modelClient);
    agent.workbench = [];
    await expect(agent.run({ task: 't' })).rejects.toSatisfy(isRefusal);
    agent.modelClient = modelClient;
    agent.workbench = workbench;
    expect((await agent.run({ task: 't' })).messages.at(-1)?.toText()).toBe('x');
  });

  it('[GUARD4] can be put in the place of a client while a turn is under way', async () => {
    const modelClient = replay(calls('f'), 'never said');
    const agent: AssistantAgent = new AssistantAgent('a', {
      modelClient,
      tools: [
        tool('f', () => {
          agent.modelClient = refusing(modelClient);
        }),
      ],
      maxToolIterations: 2,
    });
    await expect(agent.run({ task: 't' })).rejects.toSatisfy(isRefusal);
  });

  it('[GUARD5] finds the agents and teams that are used as tools', () => {
    const agent = helper();
    const team: Team = new RoundRobinGroupChat([agent]);
    expect(new AgentTool(agent).agent).toBe(agent);
    expect(new TeamTool(team, { name: 't', description: 'd' }).team).toBe(team);
  });

  it('[GUARD6] is known by its code, also behind causes, and never mistaken for another error', () => {
    const tripped = { code: 'TRIPPED' };
    expect(isRefusal(new Error('x', { cause: new Error('y', { cause: tripped }) }))).toBe(true);
    const circular = new Error('x');
    circular.cause = circular;
    expect([circular, null, undefined, 'TRIPPED', { code: 'OTHER' }].some(isRefusal)).toBe(false);
  });
});

function assistant(
  options: Pick<ConstructorParameters<typeof AssistantAgent>[1], 'tools' | 'workbench'>,
) {
  return new AssistantAgent('a', {
    modelClient: replay(calls('f {"task": "x"}'), 'never said'),
    maxToolIterations: 2,
    ...options,
  });
}

/** An agent tool the script calls by the name of `f`. */
function named(agent: AssistantAgent) {
  const agentTool = new AgentTool(agent);
  return Object.assign(agentTool, { name: 'f', schema: { ...agentTool.schema, name: 'f' } });
}
