import { ReplayChatCompletionClient } from '@teamfuse/models';
import { describe, expect, test } from 'vitest';
import { type ChatMessage, gatherUsageSummary, type LlmConfig } from '../../src/index.ts';
import { toModelMessages } from '../../src/models/model-messages.ts';
import { speaker, type TestIO } from '../cast.ts';

const usage = { promptTokens: 100, completionTokens: 50 };

function thinker(
  replies: ConstructorParameters<typeof ReplayChatCompletionClient>[0],
  config = {},
) {
  const client = new ReplayChatCompletionClient(replies, { model: 'm' });
  const llmConfig: LlmConfig = { client, ...config };
  return { client, agent: speaker('thinker', { llmConfig, systemMessage: 'Think.' }) };
}

describe('toModelMessages', () => {
  test('[MOD1] keeps who said what', () => {
    const messages: ChatMessage[] = [
      { role: 'system', content: 'rules' },
      { role: 'system', content: 'who is next?', name: 'checking_agent' },
      { role: 'user', content: 'hi', name: 'Bob' },
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'hello', name: 'Eve' },
    ];
    expect(toModelMessages(messages)).toEqual([
      { type: 'SystemMessage', content: 'rules' },
      { type: 'SystemMessage', content: 'who is next?', name: 'checking_agent' },
      { type: 'UserMessage', content: 'hi', source: 'Bob' },
      { type: 'UserMessage', content: 'hi', source: 'user' },
      { type: 'AssistantMessage', content: 'hello', source: 'Eve' },
    ]);
  });

  test('[MOD1] puts results after the calls they answer', () => {
    const tool = (id: string, name: string) => ({
      id,
      type: 'function',
      function: { name, arguments: '{}' },
    });
    const messages: ChatMessage[] = [
      { role: 'assistant', content: 'let me see', tool_calls: [tool('1', 'f'), tool('2', 'g')] },
      { role: 'tool', tool_call_id: '1', content: 'one' },
      { role: 'tool', tool_call_id: '2', content: 'two' },
    ];
    expect(toModelMessages(messages)).toEqual([
      {
        type: 'AssistantMessage',
        content: [
          { id: '1', name: 'f', arguments: '{}' },
          { id: '2', name: 'g', arguments: '{}' },
        ],
        thought: 'let me see',
        source: 'assistant',
      },
      {
        type: 'FunctionExecutionResultMessage',
        content: [
          { callId: '1', name: 'f', content: 'one' },
          { callId: '2', name: 'g', content: 'two' },
        ],
      },
    ]);
  });

  test('[MOD1] ties a result in the older form to its call', () => {
    const [asked, answered] = toModelMessages([
      { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } },
      { role: 'function', name: 'f', content: 'done' },
    ]);
    const id =
      asked?.type === 'AssistantMessage' &&
      typeof asked.content !== 'string' &&
      asked.content[0]?.id;
    expect(answered).toMatchObject({ content: [{ callId: id, name: 'f', content: 'done' }] });
  });

  test('[MOD1] hands pictures over as data, addresses as text', () => {
    const [message] = toModelMessages([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'look' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
          { type: 'image_url', image_url: { url: 'https://example.org/a.png' } },
        ],
      },
    ]);
    expect(message?.content).toEqual([
      'look',
      { data: 'AAAA', mimeType: 'image/png' },
      'https://example.org/a.png',
    ]);
  });
});

describe('a reply by a model', () => {
  test('[MOD1] unrolls the results of tools', async () => {
    const { agent, client } = thinker(['fine']);
    const messages: ChatMessage[] = [
      { role: 'assistant', content: null, tool_calls: [{ id: '1', function: { name: 'f' } }] },
      {
        role: 'tool',
        content: 'one',
        tool_responses: [{ role: 'tool', tool_call_id: '1', content: 'one' }],
      },
      {
        role: 'user',
        content: 'stop',
        name: 'Bob',
        tool_responses: [{ role: 'tool', tool_call_id: '1', content: 'USER INTERRUPTED' }],
      },
    ];
    expect(await agent.generateReply({ messages })).toBe('fine');
    expect(client.calls[0]?.messages.map(({ type }) => type)).toEqual([
      'SystemMessage',
      'AssistantMessage',
      'FunctionExecutionResultMessage',
      'UserMessage',
    ]);
  });

  test('[MOD1] asks for tools in the wire form, under names that can be sent back', async () => {
    const calls = [{ id: '7', name: 'my tool', arguments: '{}' }];
    const { agent } = thinker([{ content: calls, thought: 'hm' }]);
    expect(await agent.generateReply({ messages: [{ role: 'user', content: 'x' }] })).toEqual({
      role: 'assistant',
      content: 'hm',
      tool_calls: [{ id: '7', type: 'function', function: { name: 'my_tool', arguments: '{}' } }],
    });
  });

  test('[MOD2] a call without id, or of a function, is one of the older form', async () => {
    const asked = {
      role: 'assistant',
      content: null,
      function_call: { name: 'f', arguments: '{}' },
    };
    const messages: ChatMessage[] = [{ role: 'user', content: 'x' }];
    const without = thinker([{ content: [{ id: '', name: 'f', arguments: '{}' }] }]);
    expect(await without.agent.generateReply({ messages })).toEqual(asked);
    const known = thinker([{ content: [{ id: '1', name: 'f', arguments: '{}' }] }], {
      functions: [{ name: 'f' }],
    });
    expect(await known.agent.generateReply({ messages })).toEqual(asked);
    expect(known.client.calls[0]?.options.tools).toEqual([{ name: 'f' }]);
  });

  test('[RC3] that answers nothing gives the default reply', async () => {
    const { agent } = thinker([{ content: [] }]);
    expect(await agent.generateReply({ messages: [{ role: 'user', content: 'x' }] })).toBe(
      'I am thinker',
    );
  });

  test('[MOD1] fills contents with the context of the last message', async () => {
    const { agent, client } = thinker(['ok'], { allowFormatStrTemplate: true });
    const messages: ChatMessage[] = [
      { role: 'user', content: 'topic: {topic}, kept: {other}' },
      { role: 'user', content: ({ topic }) => `about ${topic}`, context: { topic: 'fuses' } },
    ];
    agent.isTerminationMsg = () => false;
    await agent.generateReply({ messages });
    expect(client.calls[0]?.messages.slice(1).map(({ content }) => content)).toEqual([
      'topic: fuses, kept: {other}',
      'about fuses',
    ]);
    expect(messages[1]).not.toHaveProperty('context');
  });

  test('[CHAT5] an error of the client ends the chat', async () => {
    const { agent } = thinker([new Error('no network')]);
    const reply = agent.generateReply({ messages: [{ role: 'user', content: 'x' }] });
    await expect(reply).rejects.toThrow('no network');
  });
});

describe('usage', () => {
  const ask = (agent: ReturnType<typeof speaker>) =>
    agent.generateReply({ messages: [{ role: 'user', content: 'x' }] });

  test('[USE1] is counted with and without cached answers', async () => {
    const { agent } = thinker(
      [
        { content: 'a', usage },
        { content: 'b', usage, cached: true },
      ],
      { price: [0.01, 0.02] },
    );
    await ask(agent);
    await ask(agent);
    const { usageExcludingCachedInference: actual, usageIncludingCachedInference: total } =
      gatherUsageSummary([agent, speaker('none')]);
    expect(actual.totalCost).toBeCloseTo(0.002);
    expect(total.models.m).toMatchObject({
      promptTokens: 200,
      completionTokens: 100,
      totalTokens: 300,
    });
    agent.reset();
    expect(agent.client?.totalUsageSummary).toBeNull();
  });

  test('[USE1] is priced publicly where no price is configured', async () => {
    const usage = { promptTokens: 1_000, completionTokens: 100 };
    const client = new ReplayChatCompletionClient([{ content: 'ok', usage }], { model: 'gpt-4o' });
    const agent = speaker('a', { llmConfig: { client } });
    await agent.generateReply({ messages: [{ role: 'user', content: 'x' }] });
    expect(gatherUsageSummary([agent]).usageIncludingCachedInference.totalCost).toBe(0.0035);
  });

  test('[USE1] of an unknown price makes the cost unknown', async () => {
    const { agent } = thinker([{ content: 'a', usage }]);
    const other = thinker([{ content: 'a', usage }], { price: [1, 1] });
    await ask(agent);
    await ask(other.agent);
    const { usageIncludingCachedInference: total } = gatherUsageSummary([agent, other.agent]);
    expect(total.totalCost).toBeNull();
    expect(total.models.m).toMatchObject({ cost: null, totalTokens: 300 });
  });

  test('[USE1] in a result counts the two ends, not the members of a group', async () => {
    const { agent } = thinker([{ content: 'TERMINATE', usage }], { price: [1, 1] });
    const { cost } = await speaker('A').initiateChat(agent, { message: 'x' });
    expect(cost.usageIncludingCachedInference.totalCost).toBeCloseTo(0.15);
  });

  test('[USE1] is printed the way AutoGen prints it', async () => {
    const { agent } = thinker([{ content: 'a', usage }], { price: [0.0004, 0.0002] });
    const io = agent.io as TestIO;
    agent.printUsageSummary();
    await ask(agent);
    agent.printUsageSummary();
    agent.printUsageSummary(['total']);
    const rule = '-'.repeat(100);
    expect(io.printed).toEqual([
      'Agent \'thinker\':\nNo usage summary. Please call "create" first.',
      `Agent 'thinker':\n${rule}\nUsage summary excluding cached usage: \nTotal cost: 5e-05\n* Model 'm': cost: 5e-05, prompt_tokens: 100, completion_tokens: 50, total_tokens: 150\n\nAll completions are non-cached: the total cost with cached completions is the same as actual cost.\n${rule}`,
      `Agent 'thinker':\n${rule}\nUsage summary including cached usage: \nTotal cost: 5e-05\n* Model 'm': cost: 5e-05, prompt_tokens: 100, completion_tokens: 50, total_tokens: 150\n${rule}`,
    ]);
    expect(() => agent.printUsageSummary('all' as 'total')).toThrow('Invalid mode: all');
  });

  test('[USE1] of an agent without a model is none', () => {
    const agent = speaker('plain');
    agent.printUsageSummary();
    expect((agent.io as TestIO).printed).toEqual(["No cost incurred from agent 'plain'."]);
  });
});
