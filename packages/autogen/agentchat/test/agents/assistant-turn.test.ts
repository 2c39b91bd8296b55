import {
  AssistantAgent,
  RoundRobinGroupChat,
  StaticWorkbench,
  type Workbench,
} from '@teamfuse/agentchat';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { calls, collect, lines, replay, tool } from './scripts.ts';

const sum = (a: number, b: number): number => a + b;

describe('AssistantAgent', () => {
  it('[ASST5] makes all calls of a reply at once, and keeps their results in order', async () => {
    const log: string[] = [];
    let open = (): void => undefined;
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const waiting = tool('waiting', async () => {
      log.push('waiting');
      await opened;
      return 'first';
    });
    const opening = tool('opening', () => {
      log.push('opening');
      open();
      return 'second';
    });
    const agent = new AssistantAgent('a', {
      modelClient: replay(calls('waiting', 'opening')),
      tools: [waiting, opening],
    });
    expect((await agent.run({ task: 'x' })).messages.at(-1)?.toText()).toBe('first\nsecond');
    expect(log).toEqual(['waiting', 'opening']);
  });

  it('[ASST6] finds the workbench that offers the tool', async () => {
    const agent = new AssistantAgent('a', {
      modelClient: replay(calls('f', 'g')),
      workbench: [
        new StaticWorkbench([tool('f', () => 'one')]),
        new StaticWorkbench([tool('g', () => 'two')]),
      ],
    });
    expect((await agent.run({ task: 'x' })).messages.at(-1)?.toText()).toBe('one\ntwo');
  });

  it('[ASST7] asks for the tools on offer before every model call', async () => {
    let day = 0;
    const workbench: Workbench = {
      listTools: async () => [{ name: `tool_${day}` }],
      callTool: async (name) => {
        day += 1;
        return { name, content: 'ok', isError: false };
      },
    };
    const modelClient = replay(calls('tool_0'), 'done');
    await new AssistantAgent('a', { modelClient, workbench, maxToolIterations: 2 }).run({
      task: 'x',
    });
    const offered = modelClient.calls.map(({ options }) => options.tools?.map(({ name }) => name));
    expect(offered).toEqual([['tool_0'], ['tool_1']]);
  });

  it('[ASST8] lets a function of one’s own put tool calls into words', async () => {
    const agent = new AssistantAgent('a', {
      modelClient: replay(calls('f')),
      tools: [tool('f', () => 1)],
      toolCallSummaryFormatter: ({ name }, { content }) => `${name}=${content}`,
    });
    expect((await agent.run({ task: 'x' })).messages.at(-1)?.toText()).toBe('f=1');
  });

  it('[ASST9] says what every model call of a turn cost, once', async () => {
    const usage = (promptTokens: number) => ({ promptTokens, completionTokens: 1 });
    const call = (n: number) => ({
      content: [{ id: '1', name: 'f', arguments: '{}' }],
      usage: usage(n),
    });
    const agent = new AssistantAgent('a', {
      modelClient: replay(call(1), call(10), { content: 'done', usage: usage(100) }),
      tools: [tool('f', () => 1)],
      maxToolIterations: 2,
      reflectOnToolUse: true,
    });
    const { messages } = await agent.run({ task: 'x' });
    const spent = messages.map(({ modelsUsage }) => modelsUsage?.promptTokens ?? 0);
    expect(spent.reduce((sum, tokens) => sum + tokens)).toBe(111);
  });

  it('[ASST10] aborts running tools when the reader of the stream leaves', async () => {
    let signal: AbortSignal | undefined;
    const agent = new AssistantAgent('a', {
      modelClient: replay(calls('slow', 'fast')),
      workbench: {
        listTools: async () => [{ name: 'slow' }, { name: 'fast' }],
        callTool: async () => new Promise(() => undefined),
        async *callToolStream(name, _, options) {
          signal = options?.signal;
          const { TextMessage } = await import('@teamfuse/agentchat');
          if (name === 'fast') yield new TextMessage({ content: 'inside', source: name });
          await new Promise(() => undefined);
          return { name, content: '', isError: false };
        },
      },
    });
    for await (const item of agent.runStream({ task: 'x' })) {
      if (item && 'source' in item && item.source === 'fast') break;
    }
    expect(signal?.aborted).toBe(true);
  });

  it('[ASST11] leaves a conversation that can go on when a turn ends among its tools', async () => {
    const controller = new AbortController();
    const agent = new AssistantAgent('a', {
      modelClient: replay(calls('stop', 'f'), 'and on'),
      tools: [
        tool('stop', () => {
          controller.abort();
          return new Promise(() => undefined);
        }),
        tool('f', () => 1),
      ],
    });
    await expect(agent.run({ task: 'x', signal: controller.signal })).rejects.toThrow();
    expect((await agent.modelContext.getMessages()).at(-1)).toEqual({
      type: 'FunctionExecutionResultMessage',
      content: [
        { content: 'The call was interrupted.', name: 'stop', callId: '1', isError: true },
        { content: 'The call was interrupted.', name: 'f', callId: '2', isError: true },
      ],
    });
    expect((await agent.run({ task: 'go on' })).messages.at(-1)?.toText()).toBe('and on');
  });

  it('[ASST12] has teams know the kind of data it answers with', async () => {
    const agent = new AssistantAgent('a', {
      modelClient: replay('{"title": "x", "more": 1}'),
      outputContentType: { name: 'Report', schema: z.object({ title: z.string() }) },
      outputContentTypeFormat: 'T: {title}',
    });
    const team = new RoundRobinGroupChat([agent], { maxTurns: 1 });
    const { items } = await collect(team.runStream({ task: 't' }));
    expect(lines(items).at(-1)).toBe('StructuredMessage[Report](a): T: x');
    const copy = new RoundRobinGroupChat([agent], { maxTurns: 1 });
    await copy.loadState(JSON.parse(JSON.stringify(await team.saveState())));
    expect(await copy.saveState()).toEqual(await team.saveState());
  });

  it('[TOOL25] asks the model for data by a closed schema', async () => {
    const modelClient = replay('{"title": "x"}');
    const schema = z.object({ title: z.string() });
    const outputContentType = { name: 'Report', schema };
    await new AssistantAgent('a', { modelClient, outputContentType }).run({ task: 't' });
    expect(modelClient.calls[0]?.options.jsonOutput).toEqual({
      name: 'Report',
      schema: {
        type: 'object',
        properties: { title: { type: 'string' } },
        required: ['title'],
        additionalProperties: false,
      },
    });
  });

  it.each<[string, object]>([
    ['Tools cannot be used with a workbench.', { tools: [], workbench: [] }],
    ['option \'memory\': expected a list of memories, received "notes"', { memory: 'notes' }],
    ['tools: expected a tool or a function, received "search"', { tools: ['search'] }],
    [
      'JavaScript cannot tell a model the name and the arguments of the function sum',
      { tools: [sum] },
    ],
    ["{ name: 'sum', description, parameters: z.object({ … }), func }", { tools: [sum] }],
    ['expected a ChatCompletionClient, received an object', { modelClient: {} }],
    ["option 'handoffs': expected names of agents, or { target }, received 5", { handoffs: [5] }],
    ['greater than or equal to 1, got 1.5', { maxToolIterations: 1.5 }],
  ])('[ASST13] refuses: %s', (message, options) => {
    expect(() => new AssistantAgent('a', { modelClient: replay(), ...options })).toThrow(message);
  });
});
