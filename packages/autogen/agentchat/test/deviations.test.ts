import {
  AssistantAgent,
  builtInComponents,
  type ComponentModel,
  ComponentRegistry,
  componentModel,
  FunctionalTermination,
  FunctionTool,
  MaxMessageTermination,
  MemoryQueryEvent,
  RoundRobinGroupChat,
  SourceMatchTermination,
  TerminationCondition,
  TextMentionTermination,
  TimeoutTermination,
  TokenUsageTermination,
  ValidationError,
  ValueError,
} from '@teamfuse/agentchat';
import { ReplayChatCompletionClient, type Reply } from '@teamfuse/models';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { text } from './said.ts';

const registry = new ComponentRegistry(builtInComponents);
const reloaded = (model: ComponentModel): TerminationCondition =>
  registry.load(JSON.parse(JSON.stringify(model)), TerminationCondition);

const modelInfo = {
  vision: false,
  functionCalling: true,
  jsonOutput: true,
  structuredOutput: true,
  family: 'unknown',
};
const replay = (...replies: readonly Reply[]): ReplayChatCompletionClient =>
  new ReplayChatCompletionClient(replies, { modelInfo });

/** The text the model gets for a call of a tool with these arguments and result. */
async function toolResult(returned: unknown, args = '{}'): Promise<string> {
  const agent = new AssistantAgent('a', {
    modelClient: replay({ content: [{ id: '1', name: 'tool', arguments: args }] }),
    tools: [
      new FunctionTool({
        name: 'tool',
        description: 'A tool.',
        parameters: z.object({ count: z.int().default(0) }),
        func: () => returned,
      }),
    ],
  });
  return (await agent.run({ task: 'go' })).messages.at(-1)?.toText() ?? '';
}

describe('components', () => {
  it('[DEV9] load a token limit without the other two', async () => {
    const condition = reloaded(new TokenUsageTermination({ maxPromptToken: 4 }).dumpComponent());
    expect(await condition.call([text('x', 'a', [4, 0])])).not.toBeNull();
  });

  it('[DEV9] refuse a token limit without any', () => {
    const model = {
      ...new TokenUsageTermination({ maxTotalToken: 1 }).dumpComponent(),
      config: {},
    };
    expect(() => reloaded(model)).toThrow(ValidationError);
  });

  it('[DEV10] keep the sources of a text mention', async () => {
    const dump = new TextMentionTermination('x', { sources: ['critic'] }).dumpComponent();
    expect(await reloaded(dump).call([text('x', 'poet')])).toBeNull();
  });

  it('[DEV11] do not stand for the alias of a client that is not there', () => {
    const model = {
      ...new MaxMessageTermination(1).dumpComponent(),
      provider: 'OllamaChatCompletionClient',
    };
    expect(() => reloaded(model)).toThrow(new ValueError('Invalid'));
  });

  it.each([{ max_messages: '5' }, { max_messages: 5, include_agent_event: 'yes' }])(
    '[DEV12] are strict with %j',
    (config) => {
      const model = { ...new MaxMessageTermination(1).dumpComponent(), config };
      expect(() => reloaded(model)).toThrow(ValidationError);
    },
  );

  it('[DEV19] keep handoffs given by their target, also by one that is no identifier', () => {
    const provider = 'teamfuse.test.Replay';
    const modelClient = Object.assign(replay(), {
      dumpComponent: () => componentModel({ provider, componentType: 'model' }, {}),
    });
    const agent = new AssistantAgent('a', { modelClient, handoffs: ['bob', 'Bob Smith'] });
    const ofModel = { provider, load: () => modelClient };
    const loaded = new ComponentRegistry([...builtInComponents, ofModel]).load(
      agent.dumpComponent(),
      AssistantAgent,
    );
    expect(loaded.handoffs.map(({ target }) => target)).toEqual(['bob', 'Bob Smith']);
  });
});

describe('what a tool returned', () => {
  it.each<[unknown, string]>([
    [true, 'true'],
    [null, 'null'],
    [{ a: 1, b: ['x', null] }, '{"a":1,"b":["x",null]}'],
  ])('[DEV14] reaches the model as JSON: %j', async (returned, expected) => {
    expect(await toolResult(returned)).toBe(expected);
  });

  it('[DEV13] or why its arguments were refused in the words of the schema', async () => {
    expect(await toolResult('never', '{"count":"three"}')).toMatch(
      /^1 validation error for toolargs\ncount\n {2}Invalid input: expected number/,
    );
  });
});

describe('texts', () => {
  it('[DEV15] write whole numbers without a fraction, also after loading', async () => {
    const dump = new TimeoutTermination(0).dumpComponent();
    expect((await reloaded(dump).call([]))?.content).toBe('Timeout of 0 seconds reached');
  });

  it('[DEV16] show the kind of a memory as a text', () => {
    const event = new MemoryQueryEvent({ content: [{ content: 'tea' }], source: 'a' });
    expect(event.toText()).toContain("mime_type='text/plain'");
  });
});

describe('functions of users', () => {
  it('[DEV17] are awaited whenever they give a promise', async () => {
    const condition = new FunctionalTermination(() => Promise.resolve(true));
    expect(await condition.call([])).not.toBeNull();
  });

  it('[DEV18] cannot pass a text off as a list of texts', () => {
    expect(() => new SourceMatchTermination('user' as unknown as string[])).toThrow(ValueError);
  });
});

describe('structured answers', () => {
  it('[DEV20] need not be registered with the team', async () => {
    const schema = z.object({ score: z.int() });
    const agent = new AssistantAgent('a', {
      modelClient: replay('{"score":3}'),
      outputContentType: { name: 'Report', schema },
    });
    const { messages } = await new RoundRobinGroupChat([agent], { maxTurns: 1 }).run({
      task: 'go',
    });
    expect(messages.at(-1)?.type).toBe('StructuredMessage[Report]');
  });
});
