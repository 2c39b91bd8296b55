import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  AssistantAgent,
  BaseGroupChat,
  builtInComponents,
  CodeExecutorAgent,
  type ComponentModel,
  ComponentRegistry,
  type JsonObject,
  NotImplementedError,
  RoundRobinGroupChat,
  ValidationError,
} from '@teamfuse/agentchat';
import { LocalCommandLineCodeExecutor } from '@teamfuse/code-executors';
import {
  type ChatCompletionClient,
  OpenAIChatCompletionClient,
  type OpenAIChatCompletionClientOptions,
  ReplayChatCompletionClient,
  type Reply,
} from '@teamfuse/models';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ABLE } from '../agents/scripts.ts';
import { teamJson } from './python-team.ts';

/** Stands for a client of the `openai` package; nothing is asked of it. */
const READY = {} as NonNullable<OpenAIChatCompletionClientOptions['client']>;
const registry = new ComponentRegistry(builtInComponents);

beforeEach(() => {
  vi.stubEnv('OPENAI_API_KEY', 'sk-of-the-environment');
});

afterEach(() => {
  vi.unstubAllEnvs();
});

/** An assistant is the shortest way to a client out of its dump. */
function throughJson(modelClient: ChatCompletionClient): {
  dump: ComponentModel;
  client: ChatCompletionClient;
} {
  const dump = new AssistantAgent('a', { modelClient }).dumpComponent();
  const { modelClient: client } = registry.load(JSON.parse(JSON.stringify(dump)), AssistantAgent);
  return { dump: dump.config.model_client as unknown as ComponentModel, client };
}

function loadOpenAI(
  config: JsonObject,
  provider: string = 'OpenAIChatCompletionClient',
): OpenAIChatCompletionClient {
  return registry.load({ provider, config }, OpenAIChatCompletionClient);
}

/** The key a client of this config sends to its server. */
async function keySent(config: JsonObject): Promise<string | undefined> {
  let key: string | undefined;
  const server = createServer(({ headers }, response) => {
    key = headers.authorization;
    response.writeHead(401).end('{}');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const client = loadOpenAI({ ...config, model: 'm', base_url: `http://127.0.0.1:${port}/v1` });
  const message = { type: 'UserMessage', content: 'x', source: 'user' } as const;
  await expect(client.create([message])).rejects.toMatchObject({ code: 'AUTHENTICATION' });
  server.closeAllConnections();
  server.close();
  return key;
}

/** The dump without the sentences that describe classes, and what only this library writes. */
function comparable(dump: unknown): unknown {
  return JSON.parse(JSON.stringify(dump), function (this: JsonObject, key, value) {
    const isSentence = key === 'description' && 'provider' in this;
    return isSentence || key === 'max_retries_on_error' ? undefined : value;
  });
}

describe('a team as AutoGen writes it', () => {
  let workDir: string;
  beforeEach(async () => {
    workDir = await mkdtemp(join(tmpdir(), 'teamfuse-test-'));
  });
  afterEach(() => rm(workDir, { recursive: true }));

  it('[COMP26] loads and dumps back to the same JSON', () => {
    const json = teamJson(workDir);
    const team = registry.load(json, BaseGroupChat);
    expect(team).toBeInstanceOf(RoundRobinGroupChat);
    expect(comparable(team.dumpComponent())).toEqual(comparable(json));
  });

  it('[COMP26] runs, with a script in the place of the model', async () => {
    const team = registry.load(teamJson(workDir), RoundRobinGroupChat);
    const [writer, runner] = team.participants;
    if (!(writer instanceof AssistantAgent && runner instanceof CodeExecutorAgent)) {
      throw new Error('not the agents of the dump');
    }
    writer.modelClient = new ReplayChatCompletionClient(
      ['```sh\necho $((6 * 7))\n```', 'It is 42. TERMINATE'],
      { modelInfo: ABLE },
    );
    const { messages, stopReason } = await team.run({ task: 'Work it out.' });
    expect(messages.map((message) => message.toText())).toEqual([
      'Work it out.',
      '```sh\necho $((6 * 7))\n```',
      '42\n',
      'It is 42. TERMINATE',
    ]);
    expect(stopReason).toContain("'TERMINATE' mentioned");
  });
});

describe('OpenAI clients', () => {
  it('[COMP26] come back with all their settings', () => {
    const options: OpenAIChatCompletionClientOptions = {
      model: 'my-model',
      baseURL: 'http://127.0.0.1:1/v1',
      organization: 'org',
      maxRetries: 0,
      timeoutMs: 2500,
      modelInfo: ABLE,
      includeNames: false,
      createArgs: { temperature: 0, stop: ['x'], reasoning_effort: 'low' },
    };
    const { dump, client } = throughJson(new OpenAIChatCompletionClient(options));
    expect((client as OpenAIChatCompletionClient).settings).toEqual(options);
    expect(dump.config).toMatchObject({ timeout: 2.5, temperature: 0, max_retries: 0 });
  });

  it.each([
    'OpenAIChatCompletionClient',
    'openai_chat_completion_client',
    'autogen_ext.models.openai.OpenAIChatCompletionClient',
    'autogen_ext.models.openai._openai_client.OpenAIChatCompletionClient',
  ])('[COMP26] are found as %s', (provider) => {
    expect(loadOpenAI({ model: 'gpt-4o' }, provider).modelInfo.family).toBe('gpt-4o');
  });

  it('[COMP27] are dumped without their key', () => {
    const { dump } = throughJson(new OpenAIChatCompletionClient({ model: 'm', apiKey: 'sk-1' }));
    expect(dump.config).toEqual({ model: 'm' });
  });

  it('[COMP27] are dumped without the user name and password of their base URL', () => {
    const baseURL = 'https://jo:secret@models.example/v1';
    const { dump } = throughJson(new OpenAIChatCompletionClient({ model: 'm', baseURL }));
    expect(dump.config).toEqual({ model: 'm', base_url: 'https://models.example/v1' });
  });

  it.each<[string, JsonObject, string]>([
    ['the environment, without one', {}, 'sk-of-the-environment'],
    ['the environment, for a masked one', { api_key: '**********' }, 'sk-of-the-environment'],
    ['the config, when it is there', { api_key: 'sk-given' }, 'sk-given'],
  ])('[COMP27] take their key from %s', async (_, config, key) => {
    expect(await keySent(config)).toBe(`Bearer ${key}`);
  });

  it.each<[string, JsonObject]>([
    ['model', {}],
    ['default_headers.X-Title', { model: 'm', default_headers: { 'X-Title': 'x' } }],
    ['add_name_prefixes', { model: 'm', add_name_prefixes: true }],
    ['model_capabilities', { model: 'm', model_capabilities: { vision: true } }],
    ['temperature', { model: 'm', temperature: 'hot' }],
  ])('[COMP28] are refused for their %s', (place, config) => {
    let issues: ValidationError['issues'] = [];
    try {
      loadOpenAI(config);
    } catch (error) {
      if (error instanceof ValidationError) ({ issues } = error);
    }
    expect(issues.map(({ loc }) => loc.join('.'))).toEqual([place]);
  });

  it.each<[string, OpenAIChatCompletionClientOptions]>([
    ['a ready client', { model: 'm', client: READY }],
    ['maxResponseBytes', { model: 'm', maxResponseBytes: 9 }],
    ['createArgs.max_completion_tokens', { model: 'm', createArgs: { max_completion_tokens: 9 } }],
  ])('[COMP29] cannot be dumped with %s', (what, options) => {
    const agent = new AssistantAgent('a', { modelClient: new OpenAIChatCompletionClient(options) });
    expect(() => agent.dumpComponent()).toThrow(
      new NotImplementedError(
        `This component does not support dumping to config: it was given ${what}`,
      ),
    );
  });
});

describe('scripted clients', () => {
  it('[COMP26] come back with their script, from its beginning', async () => {
    const replies: Reply[] = [
      'one',
      {
        content: [{ id: '1', name: 'f', arguments: '{}' }],
        usage: { promptTokens: 5, completionTokens: 3 },
      },
      { content: 'cut', finishReason: 'length', thought: 'hm', cached: true },
    ];
    const original = new ReplayChatCompletionClient(replies, { modelInfo: ABLE, model: 'm' });
    const expected = [];
    for (const _ of replies) expected.push(await original.create([]));
    const { dump, client } = throughJson(original);
    expect(dump).toMatchObject({
      provider: 'autogen_ext.models.replay.ReplayChatCompletionClient',
      component_type: 'replay_chat_completion_client',
      config: { model_info: { function_calling: true } },
    });
    const given = [];
    for (const _ of replies) given.push(await client.create([]));
    expect(given).toEqual(expected);
    expect({ model: client.model, modelInfo: client.modelInfo }).toEqual({
      model: 'm',
      modelInfo: ABLE,
    });
  });

  it.each<[string, Reply]>([
    ['an error', new Error('x')],
    ['chunks', { content: 'x', chunks: ['x'] }],
    ['a stream without a result', { content: 'x', omitResult: true }],
  ])('[COMP29] cannot be dumped with %s', (_, reply) => {
    const agent = new AssistantAgent('a', { modelClient: new ReplayChatCompletionClient([reply]) });
    expect(() => agent.dumpComponent()).toThrow(NotImplementedError);
  });

  it('[COMP29] of a class of their own say themselves how they are dumped', () => {
    class Loud extends ReplayChatCompletionClient {}
    const agent = new AssistantAgent('a', { modelClient: new Loud(['x']) });
    expect(() => agent.dumpComponent()).toThrow(NotImplementedError);
  });
});

describe('local executors', () => {
  const load = (config: JsonObject): LocalCommandLineCodeExecutor =>
    registry.load(
      { provider: 'autogen_ext.code_executors.local.LocalCommandLineCodeExecutor', config },
      LocalCommandLineCodeExecutor,
    );

  it('[COMP26] have the defaults of AutoGen', () => {
    const { timeoutMs, workDir, cleanupTempFiles } = load({});
    expect({ timeoutMs, workDir, cleanupTempFiles }).toEqual({
      timeoutMs: 60_000,
      workDir: undefined,
      cleanupTempFiles: true,
    });
  });

  it('[COMP26] come back with their limits', () => {
    const codeExecutor = new LocalCommandLineCodeExecutor({ timeoutMs: 1500, maxOutputBytes: 9 });
    const agent = new CodeExecutorAgent('runner', { codeExecutor });
    const loaded = registry.load(agent.dumpComponent(), CodeExecutorAgent);
    expect(loaded.codeExecutor).toMatchObject({
      timeoutMs: 1500,
      maxOutputBytes: 9,
      cleanupTempFiles: false,
    });
  });

  it.each([
    ['an environment', { env: {} }],
    ['an environment', { passEnv: ['HOME'] }],
    ['isolation', { isolation: 'required' }],
    ['maxFiles', { maxFiles: 9 }],
  ] as const)('[COMP29] cannot be dumped with %s: %j', (what, options) => {
    const codeExecutor = new LocalCommandLineCodeExecutor(options);
    const agent = new CodeExecutorAgent('runner', { codeExecutor });
    expect(() => agent.dumpComponent()).toThrow(`it was given ${what}`);
  });
});
