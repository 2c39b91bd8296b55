import { describe, expect, test } from 'vitest';
import type { ChatMessage, ConversableAgentOptions, HumanInputMode } from '../../src/index.ts';
import { speaker, TestIO } from '../cast.ts';

const P1 =
  "Replying as Bob. Provide feedback to Alice. Press enter to skip and use auto-reply, or type 'exit' to end the conversation: ";
const P2 = "Please give feedback to Alice. Press enter or type 'exit' to stop the conversation: ";
const P3 =
  "Please give feedback to Alice. Press enter to skip and use auto-reply, or type 'exit' to stop the conversation: ";

const alice = speaker('Alice');
const text = { role: 'user', content: 'text' };
const stop = null;
const auto = 'I am Bob';

function bob(mode: HumanInputMode, io: TestIO, options: Partial<ConversableAgentOptions> = {}) {
  return speaker('Bob', { humanInputMode: mode, io, maxConsecutiveAutoReply: 2, ...options });
}

describe('checkTerminationAndHumanReply', () => {
  test.each<[string, HumanInputMode, boolean, boolean, string | null, string | null, unknown]>([
    ['HT1', 'NEVER', false, false, null, null, auto],
    ['HT2', 'NEVER', true, false, null, null, stop],
    ['HT2', 'NEVER', false, true, null, null, stop],
    ['HT2', 'NEVER', true, true, null, null, stop],
    ['HT3', 'TERMINATE', false, false, null, null, auto],
    ['HT4', 'TERMINATE', false, true, P2, '', stop],
    ['HT4', 'TERMINATE', false, true, P2, 'exit', stop],
    ['HT4', 'TERMINATE', false, true, P2, 'text', text],
    ['HT4', 'TERMINATE', true, true, P2, '', stop],
    ['HT5', 'TERMINATE', true, false, P3, '', auto],
    ['HT5', 'TERMINATE', true, false, P3, 'exit', stop],
    ['HT5', 'TERMINATE', true, false, P3, 'text', text],
    ['HT6', 'ALWAYS', false, false, P1, '', auto],
    ['HT6', 'ALWAYS', true, false, P1, '', auto],
    ['HT6', 'ALWAYS', false, false, P1, 'exit', stop],
    ['HT6', 'ALWAYS', false, false, P1, 'text', text],
    ['HT7', 'ALWAYS', false, true, P1, '', stop],
    ['HT7', 'ALWAYS', true, true, P1, '', stop],
    ['HT7', 'ALWAYS', false, true, P1, 'text', text],
  ])(
    '[%s] %s, limit reached: %s, last message: %s',
    async (_id, mode, limit, last, prompt, input, expected) => {
      const io = new TestIO(...(input === null ? [] : [input]));
      const agent = bob(mode, io);
      if (limit) for (let count = 0; count < 2; count += 1) agent.autoReplies.add(alice);
      const messages = [{ role: 'user', content: last ? 'TERMINATE' : 'go on' }];
      expect(await agent.generateReply({ messages, sender: alice })).toEqual(expected);
      expect(io.prompts).toEqual(prompt === null ? [] : [prompt]);
      const before = limit ? 2 : 0;
      expect(agent.autoReplies.count(alice)).toBe(expected === auto ? before + 1 : 0);
    },
  );

  test.each<[HumanInputMode, string]>([
    ['TERMINATE', P3],
    ['ALWAYS', P1],
  ])('[HT8] %s with limit 0 sends an empty message', async (mode, prompt) => {
    const io = new TestIO('');
    const agent = bob(mode, io, { maxConsecutiveAutoReply: 0 });
    const reply = await agent.generateReply({ messages: [{ content: 'go on' }], sender: alice });
    expect(reply).toEqual({ role: 'user', content: '' });
    expect(io.prompts).toEqual([prompt]);
  });

  test('[HT9] a person answers over open calls', async () => {
    const message: ChatMessage = {
      content: null,
      function_call: { name: 'f', arguments: '{}' },
      tool_calls: [{ id: 't1', type: 'function', function: { name: 'g' } }],
    };
    const agent = bob('ALWAYS', new TestIO('no'));
    expect(await agent.generateReply({ messages: [message], sender: alice })).toEqual({
      role: 'user',
      content: 'no',
      tool_responses: [
        { role: 'function', name: 'f', content: 'USER INTERRUPTED' },
        { role: 'tool', tool_call_id: 't1', content: 'USER INTERRUPTED' },
      ],
    });
  });

  test.each<[ChatMessage['content'], boolean]>([
    ['TERMINATE', true],
    ['done TERMINATE', false],
    ['terminate', false],
    [[{ type: 'text', text: 'TERMINATE' }], true],
    [null, false],
  ])('[HT10] by default %j ends the chat: %s', async (content, ends) => {
    const reply = await speaker('Bob').generateReply({ messages: [{ content: content ?? null }] });
    expect(reply === null).toBe(ends);
  });

  test('[HT11] a limit is fixed at the first look, and a new one for all reaches known peers', () => {
    const agent = speaker('Bob', { maxConsecutiveAutoReply: 5 });
    const eve = speaker('Eve');
    expect(agent.maxConsecutiveAutoReply(alice)).toBe(5);
    agent.updateMaxConsecutiveAutoReply(7);
    expect(agent.maxConsecutiveAutoReply(alice)).toBe(7);
    agent.updateMaxConsecutiveAutoReply(1, eve);
    expect([agent.maxConsecutiveAutoReply(eve), agent.maxConsecutiveAutoReply()]).toEqual([1, 7]);
  });

  test('[HT3] says on the console that it answers by itself', async () => {
    const io = new TestIO('');
    await bob('ALWAYS', io).generateReply({ messages: [{ content: 'x' }], sender: alice });
    expect(io.printed.join()).toContain('NO HUMAN INPUT RECEIVED.');
    expect(io.printed.join()).toContain('USING AUTO REPLY...');
  });
});
