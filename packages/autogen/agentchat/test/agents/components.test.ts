import { ReplayChatCompletionClient } from '@teamfuse/models';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AssistantAgent } from '../../src/agents/assistant-agent.ts';
import { CodeExecutorAgent } from '../../src/agents/code-executor-agent.ts';
import { MessageFilterAgent } from '../../src/agents/message-filter-agent.ts';
import { SocietyOfMindAgent } from '../../src/agents/society-of-mind-agent.ts';
import { UserProxyAgent } from '../../src/agents/user-proxy-agent.ts';
import type { ComponentClass } from '../../src/component/component-loader.ts';
import { type Component, componentModel } from '../../src/component/component-model.ts';
import { ComponentRegistry } from '../../src/component/component-registry.ts';
import { AN_AGENT } from '../../src/component/shapes.ts';
import { ListMemory } from '../../src/memory/list-memory.ts';
import { BufferedChatCompletionContext } from '../../src/model-context/buffered-context.ts';
import { HeadAndTailChatCompletionContext } from '../../src/model-context/head-and-tail-context.ts';
import { UnboundedChatCompletionContext } from '../../src/model-context/unbounded-context.ts';
import { RoundRobinGroupChat } from '../../src/teams/round-robin-group-chat.ts';
import { AgentTool } from '../../src/tools/agent-tool.ts';
import { StaticWorkbench } from '../../src/tools/static-workbench.ts';
import { TeamTool } from '../../src/tools/team-tool.ts';
import { ABLE, tool } from './scripts.ts';

/** A client and an executor that can be dumped, as users' own would be. */
class Client extends ReplayChatCompletionClient {
  static readonly component: ComponentClass<Client> = {
    provider: 'autogen_ext.test.Client',
    load: () => new Client(),
  };
  constructor() {
    super(['x'], { modelInfo: ABLE });
  }
  dumpComponent() {
    return componentModel({ provider: Client.component.provider, componentType: 'client' }, {});
  }
}
class Executor {
  static readonly component: ComponentClass<Executor> = {
    provider: 'autogen_ext.test.Executor',
    load: () => new Executor(),
  };
  async executeCodeBlocks() {
    return { exitCode: 0, output: '' };
  }
  dumpComponent() {
    return componentModel({ provider: Executor.component.provider, componentType: 'x' }, {});
  }
}

const registry = new ComponentRegistry([
  Client.component,
  Executor.component,
  AssistantAgent.component,
  CodeExecutorAgent.component,
  MessageFilterAgent.component,
  RoundRobinGroupChat.component,
  SocietyOfMindAgent.component,
  TeamTool.component,
  UserProxyAgent.component,
  ListMemory.component,
  BufferedChatCompletionContext.component,
  HeadAndTailChatCompletionContext.component,
  UnboundedChatCompletionContext.component,
  AgentTool.component,
  StaticWorkbench.component,
]);

const modelClient = new Client();
const codeExecutor = new Executor();
const everything = new AssistantAgent('alice', {
  modelClient,
  tools: [new AgentTool(new UserProxyAgent('boss'), { returnValueAsLastMessage: true })],
  handoffs: ['bob', { target: 'Carol Smith', message: 'over' }],
  modelContext: new BufferedChatCompletionContext({
    bufferSize: 3,
    initialMessages: [{ type: 'UserMessage', content: 'hi', source: 'user' }],
  }),
  memory: [new ListMemory({ memoryContents: [{ content: 'fact', metadata: { a: 1 } }] })],
  systemMessage: null,
  modelClientStream: true,
  outputContentType: { name: 'Report', schema: z.object({ title: z.string() }) },
  outputContentTypeFormat: '{title}!',
  maxToolIterations: 4,
  toolCallSummaryFormat: '{tool_name}',
  metadata: { team: 'red' },
});

const agents: readonly [string, Component][] = [
  ['an assistant with everything', everything],
  ['an assistant with nothing', new AssistantAgent('alice', { modelClient })],
  ['a user proxy', new UserProxyAgent('user')],
  ['a code executor', new CodeExecutorAgent('runner', { codeExecutor, sources: ['alice'] })],
  [
    'a code executor with a model',
    new CodeExecutorAgent('runner', {
      codeExecutor,
      modelClient,
      maxRetriesOnError: 2,
      modelContext: new HeadAndTailChatCompletionContext({ headSize: 1, tailSize: 2 }),
    }),
  ],
  [
    'a society of mind',
    new SocietyOfMindAgent('s', {
      team: new RoundRobinGroupChat([new UserProxyAgent('inner')], { maxTurns: 1 }),
      modelClient,
      instruction: 'Sum up.',
    }),
  ],
  [
    'an assistant with a team for a tool',
    new AssistantAgent('boss', {
      modelClient,
      tools: [
        new TeamTool(new RoundRobinGroupChat([new UserProxyAgent('inner')]), {
          name: 'crew',
          description: 'Helps.',
        }),
      ],
    }),
  ],
  [
    'a message filter',
    new MessageFilterAgent('f', {
      wrappedAgent: new UserProxyAgent('f'),
      filter: { perSource: [{ source: 'a', position: 'last', count: 1 }, { source: 'b' }] },
    }),
  ],
];

describe('components', () => {
  it.each(agents)('[COMP20] %s comes back from JSON as it was', (_, agent) => {
    const dump = agent.dumpComponent();
    const loaded = registry.load(JSON.parse(JSON.stringify(dump)), AN_AGENT);
    expect((loaded as unknown as Component).dumpComponent()).toEqual(dump);
  });

  it('[COMP21] a dumped system message of null stays null', () => {
    const loaded = registry.load(everything.dumpComponent(), AssistantAgent);
    expect(loaded.systemMessage).toBeNull();
  });

  it('[COMP22] a loaded kind of content is checked like the original', async () => {
    const loaded = registry.load(everything.dumpComponent(), AssistantAgent);
    const replies = ['{"title": 5}', '{"title": "x", "more": 1}'];
    loaded.modelClient = new ReplayChatCompletionClient(replies, { modelInfo: ABLE });
    await expect(loaded.run({ task: 'x' })).rejects.toThrow('1 validation error for Report\ntitle');
    expect((await loaded.run({ task: 'x' })).messages.at(-1)?.toText()).toBe('x!');
  });

  it('[COMP23] an assistant with a function among its tools cannot be dumped', () => {
    const agent = new AssistantAgent('a', { modelClient, tools: [tool('f', () => 1)] });
    expect(() => agent.dumpComponent()).toThrow(
      'This component does not support dumping to config',
    );
  });

  it('[COMP24] a code executor with an approval function cannot be dumped', () => {
    const agent = new CodeExecutorAgent('runner', {
      codeExecutor,
      approvalFunc: () => ({ approved: true, reason: '' }),
    });
    expect(() => agent.dumpComponent()).toThrow(
      'Cannot serialize CodeExecutorAgent with approval_func set. The approval function is not serializable.',
    );
  });

  it('[COMP25] tool overrides in a dump are refused rather than ignored', () => {
    const model = new StaticWorkbench([]).dumpComponent();
    const renamed = { ...model, config: { tools: [], tool_overrides: { f: { name: 'g' } } } };
    expect(() => registry.load(renamed, StaticWorkbench)).toThrow('tool_overrides must be empty');
  });
});
