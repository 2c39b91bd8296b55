import { getEventListeners } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { type LLMMessage, ModelClientError, OpenAIChatCompletionClient } from '../../src/index.ts';
import { type Rest, streaming } from '../support/streaming-server.ts';
import { inTurn, ModelServer } from './model-server.ts';
import { serving } from './raw-server.ts';

const hello: readonly LLMMessage[] = [{ type: 'UserMessage', content: 'hello', source: 'user' }];
const tooMany = { error: { message: 'slow down' }, status: 429, retryAfter: 0 };

async function drain(stream: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of stream);
}

describe('retries', () => {
  test('[MER1] a 429 is tried again and then succeeds', async () => {
    await using server = await ModelServer.start(inTurn(tooMany, { content: 'at last' }));
    const { content } = await server.client().create(hello);
    expect(content).toBe('at last');
    expect(server.requests).toHaveLength(2);
  });

  test('[MER1] [MER2] gives up after maxRetries and says why', async () => {
    await using server = await ModelServer.start(inTurn(tooMany));
    await expect(server.client({ maxRetries: 1 }).create(hello)).rejects.toMatchObject({
      name: 'ModelClientError',
      code: 'RATE_LIMITED',
      status: 429,
      message: 'the model server refused the call: 429 slow down',
    });
    expect(server.requests).toHaveLength(2);
  });
});

describe('errors', () => {
  test.each([
    [401, 'AUTHENTICATION'],
    [403, 'AUTHENTICATION'],
    [400, 'BAD_REQUEST'],
    [404, 'BAD_REQUEST'],
    [500, 'SERVER'],
    [503, 'SERVER'],
  ])('[MER2] status %i is %s, also for a stream', async (status, code) => {
    await using server = await ModelServer.start({ error: { message: 'no' }, status });
    const client = server.client({ maxRetries: 0 });
    await expect(client.create(hello)).rejects.toMatchObject({ code, status });
    await expect(drain(client.createStream(hello))).rejects.toMatchObject({ code, status });
    expect(client.totalUsage()).toEqual({ promptTokens: 0, completionTokens: 0 });
  });

  test('[MER2] a server that is not there is CONNECTION', async () => {
    const client = new OpenAIChatCompletionClient({
      model: 'gpt-4o',
      baseURL: 'http://127.0.0.1:1/v1',
      apiKey: 'none',
      maxRetries: 0,
    });
    await expect(client.create(hello)).rejects.toMatchObject({ code: 'CONNECTION' });
  });

  test('[MER2] a connection that fails tells why', async () => {
    const server = await ModelServer.start({ content: 'hi' });
    const client = server.client({ maxRetries: 0 });
    await server[Symbol.asyncDispose]();
    await expect(client.create(hello)).rejects.toThrow('ECONNREFUSED');
  });

  test.each([null, {}, 'stop'])('[MER6] a signal that is none is refused: %j', async (signal) => {
    await using server = await ModelServer.start({ content: 'hi' });
    const options = { signal: signal as AbortSignal };
    const call = server.client().create(hello, options);
    if (signal === null) await expect(call).resolves.toMatchObject({ content: 'hi' });
    else await expect(call).rejects.toThrow("option 'signal': expected an AbortSignal");
  });

  test('[MER2] a server that stays silent is TIMEOUT', async () => {
    await using server = await ModelServer.start(() => new Promise(() => {}));
    const client = server.client({ timeoutMs: 50, maxRetries: 0 });
    await expect(client.create(hello)).rejects.toMatchObject({ code: 'TIMEOUT' });
  });
});

describe('malformed answers', () => {
  test('[MER3] broken JSON', async () => {
    await using server = await ModelServer.start({ content: 'x' }, { chaos: { malformedRate: 1 } });
    const client = server.client({ maxRetries: 0 });
    await expect(client.create(hello)).rejects.toMatchObject({ code: 'BAD_RESPONSE' });
    await expect(drain(client.createStream(hello))).rejects.toMatchObject({ code: 'BAD_RESPONSE' });
  });

  test.each([
    '{}',
    'null',
    '"text"',
    '{"choices":[]}',
    '{"choices":[{"index":0}]}',
    '{"choices":[{"message":{"tool_calls":[{"type":"function"}]}}]}',
  ])('[MER3] %s', async (body) => {
    await using server = await serving(body);
    await expect(server.client.create(hello)).rejects.toMatchObject({ code: 'BAD_RESPONSE' });
  });

  test('[MER3] a page of HTML', async () => {
    await using server = await serving('<html>It works!</html>', 'text/html');
    await expect(server.client.create(hello)).rejects.toMatchObject({ code: 'BAD_RESPONSE' });
  });

  test.each([
    ['broken JSON', 'data: {"choices":[{"delta":{"con\n\n'],
    ['nothing', 'data: [DONE]\n\n'],
    ['no end', 'data: {"choices":[{"index":0,"delta":{"content":"half an ans"}}]}\n\n'],
  ])('[MER3] [MER4] a stream with %s', async (_, body) => {
    await using server = await serving(body, 'text/event-stream');
    await expect(drain(server.client.createStream(hello))).rejects.toMatchObject({
      code: 'BAD_RESPONSE',
    });
  });

  test.each([
    ['{"error":{"message":"Provider returned error","code":502}}', 'Provider returned error'],
    ['{"error":"model not found"}', 'model not found'],
  ])('[MER2] an error with status 200 is SERVER: %s', async (body, said) => {
    await using server = await serving(body, 'application/json');
    await expect(server.client.create(hello)).rejects.toMatchObject({
      code: 'SERVER',
      message: `the model server refused the call: ${said}`,
    });
  });

  test.each([
    [
      '{"object":"error","message":"The context is too long.","code":400}',
      'The context is too long.',
    ],
    ['{"detail":"no such field"}', '{"detail":"no such field"}'],
    ['{"error":"model not found"}', 'model not found'],
    ['{"error":{"message":"no"}}', 'no'],
    ['{"error":null}', '{"error":null}'],
    ['not JSON', 'not JSON'],
    ['', 'status code (no body)'],
  ])('[MER2] an error says what its server says, in any form: %s', async (body, said) => {
    await using server = await serving(body, 'application/json', 400);
    const message = `the model server refused the call: 400 ${said}`;
    const refused = { code: 'BAD_REQUEST', status: 400, message };
    await expect(server.client.create(hello)).rejects.toMatchObject(refused);
    await expect(drain(server.client.createStream(hello))).rejects.toMatchObject(refused);
  });

  test('[MER2] an error inside a stream is SERVER', async () => {
    await using server = await serving(
      'data: {"error":{"message":"overloaded"}}\n\n',
      'text/event-stream',
    );
    await expect(drain(server.client.createStream(hello))).rejects.toMatchObject({
      code: 'SERVER',
      message: expect.stringContaining('overloaded'),
    });
  });

  test('[MER4] a stream whose connection is cut throws and counts nothing', async () => {
    await using server = await ModelServer.start(
      { content: 'a long answer that is cut' },
      { truncateAfterChunks: 3, chunkSize: 3 },
    );
    const client = server.client({ maxRetries: 0 });
    await expect(drain(client.createStream(hello))).rejects.toBeInstanceOf(ModelClientError);
    expect(client.totalUsage().completionTokens).toBe(0);
  });

  test.each<[string, Rest, string]>([
    ['whose connection breaks', 'breaks', 'CONNECTION'],
    ['that ends', 'ends', 'none'],
  ])(
    '[MER12] a stream %s gives all that came before, however slowly it is read',
    async (_, rest, end) => {
      await using server = await streaming(() => [1_100, rest]);
      let pieces = 0;
      const read = async () => {
        for await (const piece of server.client.createStream(hello)) {
          if (typeof piece === 'string' && ++pieces % 50 === 0) await turn();
        }
        return { code: 'none' };
      };
      expect(await read().catch((error) => error)).toMatchObject({ code: end });
      expect(pieces).toBe(1_100);
    },
  );
});

describe('cancellation', () => {
  test('[MER5] before the call sends nothing', async () => {
    await using server = await ModelServer.start({ content: 'x' });
    const signal = AbortSignal.abort('stop');
    await expect(server.client().create(hello, { signal })).rejects.toMatchObject({
      code: 'CANCELLED',
      cause: 'stop',
    });
    await expect(drain(server.client().createStream(hello, { signal }))).rejects.toMatchObject({
      code: 'CANCELLED',
    });
    expect(server.requests).toHaveLength(0);
  });

  test('[MER5] leaves no listener behind on the signal of a long run', async () => {
    await using server = await ModelServer.start({ content: 'x' });
    const { signal } = new AbortController();
    const client = server.client();
    for (let i = 0; i < 3; i++) await client.create(hello, { signal });
    await drain(client.createStream(hello, { signal }));
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  test('[MER5] during the call ends it, without another try', async () => {
    const controller = new AbortController();
    await using server = await ModelServer.start(() => {
      controller.abort();
      return { content: 'too late' };
    });
    const { signal } = controller;
    await expect(server.client().create(hello, { signal })).rejects.toMatchObject({
      code: 'CANCELLED',
    });
    expect(server.requests).toHaveLength(1);
  });

  test('[MER5] in the middle of a stream does not pass for its end', async () => {
    await using server = await ModelServer.start(
      { content: 'one two three four five six seven' },
      { chunkSize: 4, latency: 20 },
    );
    const controller = new AbortController();
    const { signal } = controller;
    const client = server.client();
    const heard: unknown[] = [];
    const listening = (async () => {
      for await (const item of client.createStream(hello, { signal })) {
        heard.push(item);
        controller.abort();
      }
    })();
    await expect(listening).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(heard).toHaveLength(1);
    expect(client.totalUsage().completionTokens).toBe(0);
  });
});

describe('options', () => {
  test.each([
    ['maxRetries', -1, 'an integer of at least 0, received -1'],
    ['timeoutMs', 0, 'an integer of at least 1, received 0'],
    ['timeoutMs', 1.5, 'an integer of at least 1, received 1.5'],
    ['modelInfo', null, 'an object, received null'],
    ['createArgs', 'top_k', 'an object, received text'],
    ['baseURL', 8080, 'text, received a number'],
    ['includeNames', 'no', 'true or false, received text'],
  ])('[MER6] refuses %s %s', (option, value, expected) => {
    const build = () =>
      new OpenAIChatCompletionClient({ model: 'gpt-4o', apiKey: 'none', [option]: value });
    expect(build).toThrow(`option '${option}': expected ${expected}`);
  });

  test.each([{}, { apiKey: 'none' }, 'gpt-4o', undefined])(
    '[MER6] asks for a model: %j',
    (options) => {
      expect(() => new OpenAIChatCompletionClient(options as { model: string })).toThrow(
        "such as { model: 'gpt-4o-mini' }",
      );
    },
  );

  test('[MER6] asks for a key', () => {
    const key = process.env.OPENAI_API_KEY;
    delete process.env.OPENAI_API_KEY;
    try {
      expect(() => new OpenAIChatCompletionClient({ model: 'gpt-4o' })).toThrow(
        "option 'apiKey': expected a key",
      );
    } finally {
      if (key !== undefined) process.env.OPENAI_API_KEY = key;
    }
  });
});
