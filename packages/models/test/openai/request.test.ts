import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type LLMMessage, OpenAIChatCompletionClient } from '../../src/index.ts';
import { ModelServer } from './model-server.ts';

let server: ModelServer;
let client: OpenAIChatCompletionClient;

beforeAll(async () => {
  server = await ModelServer.start({ content: 'ok' });
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

beforeEach(() => {
  client = server.client();
});

const hello: LLMMessage = { type: 'UserMessage', content: 'hello', source: 'user' };
const tool = { name: 'add', description: 'Adds', parameters: { type: 'object' }, strict: true };
const bare = {
  vision: false,
  functionCalling: false,
  jsonOutput: false,
  structuredOutput: false,
  family: 'unknown',
};

describe('messages', () => {
  test('[REQ1] [REQ2] [REQ3] are written in the protocol', async () => {
    await client.create([
      { type: 'SystemMessage', content: 'Be brief' },
      {
        type: 'UserMessage',
        content: ['look', { data: 'QUJD' }, { data: 'REVG', mimeType: 'image/webp' }],
        source: 'a person',
      },
      {
        type: 'AssistantMessage',
        content: [{ id: 'c1', name: 'add', arguments: '{"a":1}' }],
        thought: 'let me add',
        source: 'coder',
      },
      {
        type: 'FunctionExecutionResultMessage',
        content: [
          { callId: 'c1', name: 'add', content: '1' },
          { callId: 'c2', name: 'add', content: 'failed', isError: true },
        ],
      },
      { type: 'AssistantMessage', content: 'done', source: 'coder' },
    ]);
    expect(server.last).toMatchObject({
      model: 'gpt-4o',
      messages: [
        { role: 'system', content: 'Be brief' },
        {
          role: 'user',
          name: 'a_person',
          content: [
            { type: 'text', text: 'look' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,QUJD' } },
            { type: 'image_url', image_url: { url: 'data:image/webp;base64,REVG' } },
          ],
        },
        {
          role: 'assistant',
          name: 'coder',
          content: 'let me add',
          tool_calls: [
            { id: 'c1', type: 'function', function: { name: 'add', arguments: '{"a":1}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'c1', content: '1' },
        { role: 'tool', tool_call_id: 'c2', content: 'failed' },
        { role: 'assistant', name: 'coder', content: 'done' },
      ],
    });
  });

  test('[REQ2] names a system voice and cuts long names', async () => {
    const name = 'é'.repeat(80);
    await client.create([{ type: 'SystemMessage', content: 'x', name }]);
    expect(server.last.messages[0]?.name).toBe('_'.repeat(64));
  });

  test('[REQ2] leaves names out when told to', async () => {
    await server.client({ includeNames: false }).create([hello]);
    expect(server.last.messages).toEqual([{ role: 'user', content: 'hello' }]);
  });

  test('[REQ6] joins adjoining system messages for a model that takes one', async () => {
    const one = server.client({ modelInfo: { ...bare, multipleSystemMessages: false } });
    const system: LLMMessage = { type: 'SystemMessage', content: 'a' };
    await one.create([system, { ...system, content: 'b' }, hello]);
    expect(server.last.messages).toMatchObject([{ content: 'a\nb' }, { content: 'hello' }]);
    await expect(one.create([system, hello, system])).rejects.toMatchObject({
      code: 'UNSUPPORTED',
    });
  });
});

describe('options', () => {
  test('[REQ4] offers tools', async () => {
    await client.create([hello], { tools: [tool], toolChoice: { name: 'add' } });
    expect(server.last.tools).toEqual([{ type: 'function', function: tool }]);
    expect(server.last.tool_choice).toEqual({ type: 'function', function: { name: 'add' } });
  });

  test.each(['auto', 'required', 'none'] as const)(
    '[REQ4] passes tool choice %s',
    async (toolChoice) => {
      await client.create([hello], { tools: [tool], toolChoice });
      expect(server.last.tool_choice).toBe(toolChoice);
    },
  );

  test('[REQ4] says nothing of tools when there are none', async () => {
    await client.create([hello], { toolChoice: 'required' });
    expect(server.last).not.toHaveProperty('tools');
    expect(server.last).not.toHaveProperty('tool_choice');
    expect(server.last).not.toHaveProperty('response_format');
  });

  test('[REQ4] asks for JSON and for a schema', async () => {
    await client.create([hello], { jsonOutput: true });
    expect(server.last.response_format).toEqual({ type: 'json_object' });
    await client.create([hello], { jsonOutput: { name: 'Answer', schema: { type: 'object' } } });
    expect(server.last.response_format).toEqual({
      type: 'json_schema',
      json_schema: { name: 'Answer', schema: { type: 'object' }, strict: true },
    });
  });

  test('[REQ4] lets the arguments of a call win', async () => {
    const warm = server.client({ createArgs: { temperature: 1, seed: 7 } });
    await warm.create([hello], { extraCreateArgs: { temperature: 0 } });
    expect(server.last).toMatchObject({ temperature: 0, seed: 7 });
  });

  test('[REQ10] sends options for the answer under their names in the protocol', async () => {
    const warm = server.client({
      temperature: 0.2,
      maxTokens: 50,
      topP: undefined,
      stop: ['END'],
      createArgs: { temperature: 1 },
    });
    await warm.create([hello]);
    expect(server.last).toMatchObject({ temperature: 1, max_tokens: 50, stop: ['END'] });
    expect(server.last).not.toHaveProperty('top_p');
    expect(warm.settings.createArgs).toEqual({ temperature: 1, max_tokens: 50, stop: ['END'] });
  });

  test.each([
    ['max_tokens', "it is called 'maxTokens' here"],
    ['api_key', "it is called 'apiKey' here"],
    ['base_url', "it is called 'baseURL' here"],
    ['baseUrl', "it is called 'baseURL' here"],
    ['timeout', "it is called 'timeoutMs' here, in milliseconds"],
    ['temprature', "fields of the request that have no option belong into 'createArgs'"],
    ['constructor', "fields of the request that have no option belong into 'createArgs'"],
  ])('[REQ11] refuses the option %s', (option, advice) => {
    expect(() => server.client({ [option]: 1 })).toThrow(
      `OpenAIChatCompletionClient: there is no option '${option}'; ${advice}`,
    );
  });

  test.each<[string, unknown, string]>([
    ['no list', 'hello', 'messages: expected a list of messages'],
    [
      'messages of the protocol',
      [{ role: 'user', content: 'hello' }],
      "messages[0].type: expected 'SystemMessage', ",
    ],
    [
      'content of another kind',
      [{ type: 'UserMessage', content: 5, source: 'user' }],
      'messages[0].content: expected text or a list, received a number',
    ],
    [
      'results that are no list',
      [{ type: 'FunctionExecutionResultMessage', content: 'done' }],
      'messages[0].content: expected a list, received text',
    ],
    ['nothing', [null], 'messages[0].type: expected'],
  ])('[REQ13] sends nothing for %s', async (_, messages, problem) => {
    const before = server.requests.length;
    const asked = server.client({}).create(messages as LLMMessage[]);
    await expect(asked).rejects.toMatchObject({ code: 'INVALID_OPTION' });
    await expect(asked).rejects.toThrow(problem);
    expect(server.requests).toHaveLength(before);
  });

  test.each([
    ['tools', { tools: [tool] }, 'the model cannot call functions (modelInfo.functionCalling)'],
    ['JSON', { jsonOutput: true }, 'the model cannot answer in JSON (modelInfo.jsonOutput)'],
    [
      'a schema',
      { jsonOutput: { name: 'A', schema: {} } },
      'the model cannot follow a JSON schema (modelInfo.structuredOutput)',
    ],
  ])('[REQ5] sends nothing when the model does not support %s', async (_, options, message) => {
    const before = server.requests.length;
    const plain = server.client({ modelInfo: bare });
    await expect(plain.create([hello], options)).rejects.toMatchObject({
      code: 'UNSUPPORTED',
      message,
    });
    expect(server.requests.length).toBe(before);
  });

  test('[REQ5] refuses images and unknown tool choices', async () => {
    const image: LLMMessage = { type: 'UserMessage', content: [{ data: 'QUJD' }], source: 'user' };
    await expect(server.client({ modelInfo: bare }).create([image])).rejects.toMatchObject({
      code: 'UNSUPPORTED',
    });
    const options = { tools: [tool], toolChoice: { name: 'sub' } };
    await expect(client.create([hello], options)).rejects.toMatchObject({ code: 'INVALID_OPTION' });
  });

  test('[REQ7] asks a stream for its usage', async () => {
    for await (const _ of client.createStream([hello]));
    expect(server.last).toMatchObject({ stream: true, stream_options: { include_usage: true } });
  });
});

describe('settings', () => {
  test('[REQ8] tell everything but the key', () => {
    const settings = { model: 'm', organization: 'org', timeoutMs: 5 };
    const made = new OpenAIChatCompletionClient({ ...settings, apiKey: 'sk-secret' });
    expect(made.settings).toEqual(settings);
    expect(made.hasReadyClient).toBe(false);
    expect(JSON.stringify(made)).not.toContain('sk-secret');
  });
});

describe('a client for another model', () => {
  test('[REQ12] asks that one in the same way, and counts its own usage', async () => {
    const made = server.client({ temperature: 0.5, includeNames: false });
    const other = made.withModel('gpt-4o-mini');
    await other.create([hello]);
    expect(other.model).toBe('gpt-4o-mini');
    expect(server.last).toMatchObject({ model: 'gpt-4o-mini', temperature: 0.5 });
    expect(server.last.messages).toEqual([{ role: 'user', content: 'hello' }]);
    expect(other.totalUsage().completionTokens).toBeGreaterThan(0);
    expect(made.totalUsage()).toEqual({ promptTokens: 0, completionTokens: 0 });
  });

  test('[REQ12] is told by its name what the model can do, and by modelInfo if that says nothing', () => {
    const made = server.client({ modelInfo: bare });
    expect(made.withModel('gpt-4o-mini').modelInfo).toMatchObject({ structuredOutput: true });
    expect(made.withModel('my-own').modelInfo).toBe(bare);
    expect(server.client().withModel('my-own').modelInfo).toMatchObject({ jsonOutput: true });
  });
});

describe('a closed client', () => {
  test('[MER10] refuses further calls, however often it is closed', async () => {
    await client.close();
    await client.close();
    const before = server.requests.length;
    await expect(client.create([hello])).rejects.toMatchObject({ code: 'CLOSED' });
    await expect(client.createStream([hello]).next()).rejects.toMatchObject({ code: 'CLOSED' });
    expect(server.requests).toHaveLength(before);
  });
});
