import { describe, expect, test } from 'vitest';
import type { CreateResult, LLMMessage, OpenAIChatCompletionClient } from '../../src/index.ts';
import { ModelServer } from './model-server.ts';
import { type RawServer, serving } from './raw-server.ts';

const hello: readonly LLMMessage[] = [{ type: 'UserMessage', content: 'hello', source: 'user' }];

async function streamed(client: OpenAIChatCompletionClient): Promise<{
  chunks: string[];
  result: CreateResult | undefined;
}> {
  const chunks: string[] = [];
  let result: CreateResult | undefined;
  for await (const item of client.createStream(hello)) {
    if (typeof item === 'string') chunks.push(item);
    else result = item;
  }
  return { chunks, result };
}

/** A server that streams these pieces of an answer. */
function streaming(deltas: readonly object[]): Promise<RawServer> {
  const chunks = [
    ...deltas.map((delta) => ({ choices: [{ index: 0, delta }] })),
    { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
  ];
  return serving(eventsOf(chunks), 'text/event-stream');
}

function eventsOf(chunks: readonly object[]): string {
  return chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('');
}

describe('result', () => {
  test('[RSP1] [RSP2] is the same with and without a stream', async () => {
    await using server = await ModelServer.start(
      { content: 'hello to you', usage: { prompt_tokens: 12, completion_tokens: 3 } },
      { chunkSize: 4 },
    );
    const client = server.client();
    const expected = {
      finishReason: 'stop',
      content: 'hello to you',
      usage: { promptTokens: 12, completionTokens: 3 },
      cached: false,
    };
    expect(await client.create(hello)).toEqual(expected);
    const { chunks, result } = await streamed(client);
    expect(chunks).toEqual(['hell', 'o to', ' you']);
    expect(result).toEqual(expected);
  });

  test('[RSP1] [RSP2] holds function calls and the words that came along', async () => {
    await using server = await ModelServer.start({
      content: 'let me see',
      toolCalls: [
        { id: 'c1', name: 'add', arguments: '{"a":1}' },
        { id: 'c2', name: 'sub', arguments: '{}' },
      ],
    });
    const expected = {
      finishReason: 'function_calls',
      content: [
        { id: 'c1', name: 'add', arguments: '{"a":1}' },
        { id: 'c2', name: 'sub', arguments: '{}' },
      ],
      thought: 'let me see',
    };
    expect(await server.client().create(hello)).toMatchObject(expected);
    expect((await streamed(server.client())).result).toMatchObject(expected);
  });

  test('[RSP1] [RSP2] tells the reasoning as a thought', async () => {
    await using server = await ModelServer.start({ content: '42', reasoning: 'six times seven' });
    const expected = { content: '42', thought: 'six times seven' };
    expect(await server.client().create(hello)).toMatchObject(expected);
    expect((await streamed(server.client())).result).toMatchObject(expected);
  });

  test.each([
    ['length', 'length'],
    ['content_filter', 'content_filter'],
    ['something_new', 'unknown'],
  ])('[RSP1] reads finish reason %s as %s', async (finishReason, expected) => {
    await using server = await ModelServer.start({ content: 'cut', finishReason });
    expect((await server.client().create(hello)).finishReason).toBe(expected);
    expect((await streamed(server.client())).result?.finishReason).toBe(expected);
  });

  test('[RSP4] tells what the provider had in its cache', async () => {
    const choice = { message: { content: 'hi' }, finish_reason: 'stop' };
    const usage = {
      prompt_tokens: 9,
      completion_tokens: 1,
      prompt_tokens_details: { cached_tokens: 4 },
    };
    await using server = await serving(JSON.stringify({ choices: [choice], usage }));
    await server.client.create(hello);
    await server.client.create(hello);
    expect(server.client.totalUsage()).toEqual({
      promptTokens: 18,
      completionTokens: 2,
      cachedPromptTokens: 8,
    });
  });

  test.each([
    { prompt_tokens: '4000', completion_tokens: '1' },
    { prompt_tokens: 5 },
    { prompt_tokens: 5, completion_tokens: -1 },
    { prompt_tokens: 1.5, completion_tokens: 2 },
  ])('[RSP1] takes usage that cannot be read for 0: %j', async (usage) => {
    const choice = { finish_reason: 'stop', message: { role: 'assistant', content: 'hello' } };
    await using server = await serving(JSON.stringify({ choices: [choice], usage }));
    const result = await server.client.create(hello);
    expect(result.usage).toEqual({ promptTokens: 0, completionTokens: 0 });
    expect(server.client.totalUsage()).toEqual({ promptTokens: 0, completionTokens: 0 });
  });

  test('[RSP1] takes missing usage for 0', async () => {
    await using server = await serving('{"choices":[{"message":{"content":"hi"}}]}');
    expect(await server.client.create(hello)).toMatchObject({
      usage: { promptTokens: 0, completionTokens: 0 },
      finishReason: 'unknown',
    });
  });

  test.each([
    ['all have the same index', 0, ['c1', 'c2']],
    ['none has an index', undefined, ['c1', 'c2']],
    ['none has an index or an id', undefined, ['', '']],
  ])('[RSP2] tells function calls apart where %s', async (_, index, ids) => {
    const [first, second] = ids.map((id) => ({ index, id }));
    await using server = await streaming([
      { tool_calls: [{ ...first, function: { name: 'add', arguments: '{"a"' } }] },
      { tool_calls: [{ index, function: { arguments: ':1}' } }] },
      { tool_calls: [{ ...second, function: { name: 'sub', arguments: '{}' } }] },
    ]);
    expect((await streamed(server.client)).result?.content).toEqual([
      { id: ids[0], name: 'add', arguments: '{"a":1}' },
      { id: ids[1], name: 'sub', arguments: '{}' },
    ]);
  });

  test('[RSP2] holds one function call of which each piece has another id', async () => {
    await using server = await streaming([
      { tool_calls: [{ index: 0, id: 'c1', function: { name: 'add', arguments: '{"a"' } }] },
      { tool_calls: [{ index: 0, id: 'c2', function: { arguments: ':1}' } }] },
    ]);
    expect((await streamed(server.client)).result?.content).toEqual([
      { id: 'c1', name: 'add', arguments: '{"a":1}' },
    ]);
  });

  test('[RSP2] is the first of several answers', async () => {
    const choice = (index: number, content: string) => ({ index, delta: { content } });
    const finished = (index: number) => ({ index, delta: {}, finish_reason: 'stop' });
    const chunks = [
      { choices: [choice(1, 'two'), choice(0, 'one')] },
      { choices: [finished(1)] },
      { choices: [finished(0)] },
    ];
    await using server = await serving(eventsOf(chunks), 'text/event-stream');
    const { chunks: texts, result } = await streamed(server.client);
    expect([texts, result?.content]).toEqual([['one'], 'one']);
  });

  test('[MER3] names what came instead of a stream', async () => {
    await using page = await serving('<html>Log in</html>', 'text/html; charset=utf-8');
    const expected = 'content-type: expected text/event-stream, received text/html';
    await expect(streamed(page.client)).rejects.toThrow(expected);
    await using whole = await serving(eventsOf([]), 'text/event-stream');
    await expect(streamed(whole.client)).rejects.toThrow('the stream broke off');
  });

  test('[RSP3] adds up over calls and streams', async () => {
    await using server = await ModelServer.start({
      content: 'hi',
      usage: { prompt_tokens: 5, completion_tokens: 2 },
    });
    const client = server.client();
    expect(client.totalUsage()).toEqual({ promptTokens: 0, completionTokens: 0 });
    await client.create(hello);
    await streamed(client);
    expect(client.totalUsage()).toEqual({ promptTokens: 10, completionTokens: 4 });
    expect(client.actualUsage()).toEqual(client.totalUsage());
  });
});
