import { describe, expect, test } from 'vitest';
import {
  type CreateResult,
  type LLMMessage,
  ModelClientError,
  ReplayChatCompletionClient,
} from '../../src/index.ts';

const prompt: readonly LLMMessage[] = [
  { type: 'SystemMessage', content: 'Be  brief\nplease' },
  { type: 'UserMessage', content: 'Say hello', source: 'user' },
  { type: 'UserMessage', content: ['not counted'], source: 'user' },
];

async function collect(client: ReplayChatCompletionClient): Promise<(string | CreateResult)[]> {
  const items: (string | CreateResult)[] = [];
  for await (const item of client.createStream(prompt)) items.push(item);
  return items;
}

describe('ReplayChatCompletionClient', () => {
  test('[RPL1] answers in order, whoever asks, and then has no more', async () => {
    const client = new ReplayChatCompletionClient(['one', 'two']);
    const answers = await Promise.all([client.create(prompt), client.create(prompt)]);
    expect(answers.map(({ content }) => content)).toEqual(['one', 'two']);
    await expect(client.create(prompt)).rejects.toThrow(
      new ModelClientError('REPLAY_EXHAUSTED', 'No more mock responses available'),
    );
    await expect(collect(client)).rejects.toMatchObject({ code: 'REPLAY_EXHAUSTED' });
  });

  test('[RPL2] counts words', async () => {
    const client = new ReplayChatCompletionClient([' Hello  to you ']);
    expect(await client.create(prompt)).toEqual({
      finishReason: 'stop',
      content: ' Hello  to you ',
      usage: { promptTokens: 5, completionTokens: 3 },
      cached: true,
    });
    expect(client.totalUsage()).toEqual({ promptTokens: 5, completionTokens: 3 });
    expect(client.actualUsage()).toEqual({ promptTokens: 0, completionTokens: 0 });
  });

  test('[RPL3] gives a ready result as it is', async () => {
    const content = [{ id: '1', name: 'add', arguments: '{}' }];
    const usage = { promptTokens: 100, completionTokens: 7 };
    const client = new ReplayChatCompletionClient([
      { content, usage, thought: 'hm' },
      { content: '' },
    ]);
    expect(await client.create(prompt)).toEqual({
      finishReason: 'function_calls',
      content,
      usage,
      thought: 'hm',
      cached: false,
    });
    expect(client.actualUsage()).toEqual({ promptTokens: 5, completionTokens: 7 });
    expect(await client.create(prompt)).toMatchObject({
      finishReason: 'stop',
      usage: { promptTokens: 0, completionTokens: 0 },
    });
  });

  test('[RPL4] streams a text word by word', async () => {
    const client = new ReplayChatCompletionClient(['Hello to\nyou', '']);
    expect(await collect(client)).toEqual([
      'Hello ',
      'to ',
      'you',
      expect.objectContaining({ content: 'Hello to\nyou' }),
    ]);
    expect(await collect(client)).toEqual([expect.objectContaining({ content: '' })]);
  });

  test('[RPL4] streams the chunks of a ready result', async () => {
    const client = new ReplayChatCompletionClient([
      { content: 'ab', chunks: ['a', 'b'] },
      { content: 'ab', chunks: ['a'], omitResult: true },
    ]);
    expect(await collect(client)).toEqual(['a', 'b', expect.objectContaining({ content: 'ab' })]);
    expect(await collect(client)).toEqual(['a']);
  });

  test('[RPL5] begins again', async () => {
    const client = new ReplayChatCompletionClient(['one', 'two']);
    await client.create(prompt);
    client.reset();
    expect(client.totalUsage()).toEqual({ promptTokens: 0, completionTokens: 0 });
    expect((await client.create(prompt)).content).toBe('one');
  });

  test('[RPL6] records calls as they were', async () => {
    const client = new ReplayChatCompletionClient(['one', 'two']);
    const history = [...prompt];
    await client.create(history, { toolChoice: 'none' });
    history.pop();
    await collect(client);
    expect(client.calls).toEqual([
      { messages: prompt, options: { toolChoice: 'none' }, isStream: false },
      { messages: prompt, options: {}, isStream: true },
    ]);
  });

  test('[RPL7] throws the errors of the script', async () => {
    const client = new ReplayChatCompletionClient([new Error('overloaded'), 'back again']);
    await expect(client.create(prompt)).rejects.toThrow('overloaded');
    expect((await client.create(prompt)).content).toBe('back again');
  });

  test('[RPL8] takes no reply for a cancelled call', async () => {
    const client = new ReplayChatCompletionClient(['one']);
    const signal = AbortSignal.abort();
    await expect(client.create(prompt, { signal })).rejects.toMatchObject({ code: 'CANCELLED' });
    expect((await client.create(prompt)).content).toBe('one');
  });

  test('[RPL9] refuses calls when it is closed, and takes no reply', async () => {
    const client = new ReplayChatCompletionClient(['one']);
    await client.close();
    await expect(client.create([])).rejects.toMatchObject({ code: 'CLOSED' });
    expect(client.calls).toEqual([]);
  });
});
