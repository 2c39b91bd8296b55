import { ReplayChatCompletionClient } from '@teamfuse/models';
import { describe, expect, test } from 'vitest';
import {
  Agent,
  type ChatMessage,
  defaultSummaryPrompt,
  type SummaryArgs,
  type SummaryMethod,
} from '../../src/index.ts';
import { script, speaker } from '../cast.ts';

describe('the summary of a chat', () => {
  test.each<[ChatMessage['content'], string]>([
    ['done TERMINATE', 'done '],
    [
      [
        { type: 'text', text: 'one TERMINATE' },
        { type: 'image_url', image_url: { url: 'u' } },
        { type: 'text', text: 'two' },
      ],
      'one \ntwo',
    ],
  ])('[SUM1] last_msg of %j is %j', async (content, expected) => {
    const bob = speaker('Bob', { defaultAutoReply: { content: content ?? null } });
    const { summary } = await speaker('A').initiateChat(bob, { message: 'x', maxTurns: 1 });
    expect(summary).toBe(expected);
  });

  test('[SUM1] a function gets both agents and the arguments', async () => {
    const { summary } = await speaker('A').initiateChat(speaker('B'), {
      message: 'x',
      maxTurns: 1,
      summaryMethod: (sender, recipient, args) => `${sender.name}${recipient.name}${args.note}`,
      summaryArgs: { note: '!' },
    });
    expect(summary).toBe('AB!');
  });

  test('[SUM1] null gives an empty one', async () => {
    const options = { message: 'x', maxTurns: 1, summaryMethod: null };
    expect((await speaker('A').initiateChat(speaker('B'), options)).summary).toBe('');
  });

  test('[SUM1] a model gets the given prompt under the given role', async () => {
    const client = new ReplayChatCompletionClient(['in short', 'in brief']);
    const alice = speaker('A', { llmConfig: { client } });
    const options = { message: 'x', maxTurns: 1, summaryMethod: 'reflection_with_llm' } as const;
    expect((await alice.initiateChat(script('B', 'y'), options)).summary).toBe('in short');
    expect(client.calls[0]?.messages.at(-1)).toEqual({
      type: 'SystemMessage',
      content: defaultSummaryPrompt,
    });
    const summaryArgs = { summaryPrompt: 'Sum up.', summaryRole: 'user' };
    await alice.initiateChat(script('B', 'y'), { ...options, summaryArgs });
    expect(client.calls[1]?.messages.at(-1)).toMatchObject({
      type: 'UserMessage',
      content: 'Sum up.',
    });
  });

  test('[SUM2] no reply function sees the call', async () => {
    const client = new ReplayChatCompletionClient(['in short']);
    const bob = speaker('Bob', { llmConfig: { client } });
    let calls = 0;
    bob.registerReply([Agent, null], () => {
      calls += 1;
      return [true, 'y'];
    });
    await speaker('A').initiateChat(bob, {
      message: 'x',
      maxTurns: 1,
      summaryMethod: 'reflection_with_llm',
    });
    expect([calls, client.calls.length]).toEqual([1, 1]);
  });

  test.each<[SummaryMethod, RegExp]>([
    ['longest_msg' as 'last_msg', /^summary_method must be a string chosen from/],
    ['reflection_with_llm', /^llm client must be set/],
  ])('[SUM1] %s is rejected before anything is said', async (summaryMethod, message) => {
    const alice = speaker('A');
    const bob = speaker('B');
    const chat = alice.initiateChat(bob, { message: 'x', maxTurns: 1, summaryMethod });
    await expect(chat).rejects.toThrow(message);
    expect(bob.chatMessages.size).toBe(0);
  });

  test.each([
    [{ summaryPrompt: 5 }, 'The summary_prompt must be a string.'],
    [{ summaryRole: 5 }, 'The summary_role in summary_arg must be a string.'],
  ])('[SUM1] %j is rejected', async (summaryArgs, message) => {
    const client = new ReplayChatCompletionClient([]);
    const chat = speaker('A', { llmConfig: { client } }).initiateChat(speaker('B'), {
      message: 'x',
      maxTurns: 1,
      summaryMethod: 'reflection_with_llm',
      summaryArgs: summaryArgs as unknown as SummaryArgs,
    });
    await expect(chat).rejects.toThrow(message);
  });
});
