import {
  AgentTool,
  AssistantAgent,
  BufferedChatCompletionContext,
  CodeExecutorAgent,
  Console,
  DiGraphBuilder,
  FunctionTool,
  GraphFlow,
  ListMemory,
  MagenticOneGroupChat,
  MaxMessageTermination,
  MessageFilterAgent,
  RoundRobinGroupChat,
  SelectorGroupChat,
  SocietyOfMindAgent,
  Swarm,
  TeamTool,
  TextMentionTermination,
  TextMessage,
  TimeoutTermination,
  TokenUsageTermination,
  UnknownOptionError,
  UserProxyAgent,
  ValueError,
} from '@teamfuse/agentchat';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { calls, replay } from './agents/scripts.ts';

/** Options as JavaScript gives them. */
// biome-ignore lint/suspicious/noExplicitAny: the compiler would refuse what is tested here
const js = (options: unknown): any => options;

const modelClient = replay('Hello.');
const agent = new AssistantAgent('a', { modelClient });
const other = new AssistantAgent('b', { modelClient });
const team = new RoundRobinGroupChat([agent], { maxTurns: 1 });
const tool = { name: 't', description: 'T', parameters: z.object({}), func: () => '' };

describe('options that do not exist', () => {
  it.each<[string, () => unknown, string]>([
    [
      'an assistant',
      () => new AssistantAgent('a', js({ model_client: modelClient })),
      "AssistantAgent: there is no option 'model_client'; in TypeScript it is 'modelClient'",
    ],
    [
      'a code executor',
      () => new CodeExecutorAgent('a', js({ codeExecuter: {} })),
      "CodeExecutorAgent: there is no option 'codeExecuter'; did you mean 'codeExecutor'?",
    ],
    ['a person', () => new UserProxyAgent('a', js({ input_func: () => '' })), "'inputFunc'"],
    [
      'a society',
      () => new SocietyOfMindAgent('a', js({ team, modelClient, response_prompt: '' })),
      "'responsePrompt'",
    ],
    [
      'a filter',
      () => new MessageFilterAgent('a', js({ wrappedAgent: agent, filter: { per_source: [] } })),
      "filter: there is no option 'per_source'; in TypeScript it is 'perSource'",
    ],
    [
      'a handoff',
      () => new AssistantAgent('a', { modelClient, handoffs: [js({ target: 'b', title: '' })] }),
      "handoff: there is no option 'title'; the options are target, description, name, message",
    ],
    [
      'a team',
      () => new RoundRobinGroupChat([agent], js({ max_turns: 2 })),
      "RoundRobinGroupChat: there is no option 'max_turns'; in TypeScript it is 'maxTurns'",
    ],
    ['a swarm', () => new Swarm([agent], js({ maxTurn: 2 })), "did you mean 'maxTurns'?"],
    [
      'a selector',
      () => new SelectorGroupChat([agent, other], js({ modelClient, selectorPromt: '' })),
      "did you mean 'selectorPrompt'?",
    ],
    [
      'a team with a ledger',
      () => new MagenticOneGroupChat([agent], js({ modelClient, max_stalls: 1 })),
      "'maxStalls'",
    ],
    ['a graph', () => new GraphFlow([agent], js({ graf: null })), "did you mean 'graph'?"],
    [
      'an edge',
      () =>
        new DiGraphBuilder()
          .addNode(agent)
          .addNode(other)
          .addEdge(agent, other, js({ on: '' })),
      "edge: there is no option 'on'; the options are condition,",
    ],
    [
      'a limit of messages',
      () => new MaxMessageTermination(3, js({ include_agent_event: true })),
      "'includeAgentEvent'",
    ],
    ['a word', () => new TextMentionTermination('x', js({ source: ['a'] })), "'sources'"],
    ['a limit of time', () => new TimeoutTermination(3, js({ clock: 0 })), 'the options are now'],
    [
      'a limit of tokens',
      () => new TokenUsageTermination(js({ max_total_token: 3 })),
      "'maxTotalToken'",
    ],
    ['a context', () => new BufferedChatCompletionContext(js({ buffer_size: 3 })), "'bufferSize'"],
    ['a tool', () => new FunctionTool(js({ ...tool, fun: tool.func })), "did you mean 'func'?"],
    ['an agent as a tool', () => new AgentTool(agent, js({ returnValue: true })), 'AgentTool'],
    ['a team as a tool', () => new TeamTool(team, js({ title: 't' })), 'TeamTool'],
    ['a memory', () => new ListMemory(js({ memory_contents: [] })), "'memoryContents'"],
    [
      'a message',
      () => new TextMessage(js({ content: '', source: 'a', models_usage: null })),
      "message: there is no option 'models_usage'; in TypeScript it is 'modelsUsage'",
    ],
  ])('[AOP1] are refused: %s', (_what, make, message) => {
    expect(make).toThrow(UnknownOptionError);
    expect(make).toThrow(message);
  });

  it('[AOP1] are refused before a run begins', async () => {
    const wrong = { task: 'x', cancellation_token: {} };
    const message = "run: there is no option 'cancellation_token'; give an AbortSignal as 'signal'";
    await expect(agent.run(js(wrong))).rejects.toMatchObject({
      code: 'UNKNOWN_OPTION',
      option: 'cancellation_token',
      message,
    });
    await expect(team.run(js(wrong))).rejects.toThrow(message);
    await expect(Console(team.runStream(js(wrong)))).rejects.toThrow(message);
    await expect(Console(team.runStream({ task: 'x' }), js({ stats: true }))).rejects.toThrow(
      'Console',
    );
  });

  it('[AOP5] a signal of another kind is refused before a run begins', async () => {
    await expect(agent.run(js({ task: 'x', signal: new AbortController() }))).rejects.toThrow(
      "option 'signal': expected an AbortSignal, received a AbortController",
    );
  });

  it('[AOP2] what is no object holds no options', async () => {
    expect(() => new AssistantAgent('a', js(modelClient.create))).toThrow(ValueError);
    expect(() => new AssistantAgent('a', js(undefined))).toThrow(
      'AssistantAgent: the options have to be an object, received undefined.',
    );
    await expect(team.run(js('Write a poem'))).rejects.toThrow('run: give the task as { task }.');
  });

  it.each([['APPROVE'], [() => true]])(
    '[AOP2] an edge has no condition by itself: %s',
    (condition) => {
      const builder = new DiGraphBuilder().addNode(agent).addNode(other);
      expect(() => builder.addEdge(agent, other, js(condition))).toThrow(
        'edge: the options have to be an object',
      );
    },
  );

  it('[AOP6] a graph is what a builder has built', () => {
    const graph = new DiGraphBuilder().addNode(agent);
    expect(() => new GraphFlow([agent], js({ graph }))).toThrow(
      "option 'graph': expected a graph, as build() of a DiGraphBuilder gives it, received a DiGraphBuilder",
    );
  });

  it.each<[string, () => unknown, string]>([
    [
      'the name of an agent',
      () => new AssistantAgent(js({ name: 'a', modelClient }), js(undefined)),
      'AssistantAgent: expected a name, then the options.',
    ],
    [
      'the participants of a team',
      () => new RoundRobinGroupChat(js({ participants: [agent] })),
      'RoundRobinGroupChat: expected a list of participants, then the options.',
    ],
  ])('[AOP4] hold no argument of its own: %s', (_what, make, message) => {
    expect(make).toThrow(new ValueError(message));
  });

  it('[AOP3] in the config of a component are left out', () => {
    const load = MaxMessageTermination.component.load;
    const config = { max_messages: 3, max_mesages: 4 };
    expect(load(config, js(undefined)).dumpComponent().config).toEqual({
      max_messages: 3,
      include_agent_event: false,
    });
  });
});

describe('tools', () => {
  it('[TOOL26] may be functions without arguments', async () => {
    const today = () => 'Sunday';
    const { messages } = await new AssistantAgent('a', {
      modelClient: replay(calls('today')),
      tools: [today],
    }).run({
      task: 'Which day is it?',
    });
    expect(messages.at(-1)?.toText()).toBe('Sunday');
  });

  it('[TOOL26] are no functions with arguments', () => {
    const add = (a: number, b: number) => a + b;
    expect(() => new AssistantAgent('a', { modelClient, tools: [js(add)] })).toThrow(
      "give new FunctionTool({ name: 'add', description, parameters: z.object({ … }), func })",
    );
  });
});

describe('operators', () => {
  const a = js(new MaxMessageTermination(3));
  const b = js(new TextMentionTermination('DONE'));

  it.each<[string, () => unknown]>([
    ['a | b', () => a | b],
    ['a & b', () => a & b],
    ['a + b', () => a + b],
  ])('[TERM10] %s says what to write instead', (_operator, combine) => {
    expect(combine).toThrow(ValueError);
    expect(combine).toThrow('write a.or(b) and a.and(b), or(a, b) and and(a, b), or when`…`');
  });

  it('[TERM10] a condition in a text is shown by its class', () => {
    expect(`${a}`).toBe('MaxMessageTermination');
  });
});
