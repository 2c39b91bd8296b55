import { describe, expect, test } from 'vitest';
import type { ChatMessage, HookMethods } from '../../src/index.ts';
import { speaker } from '../cast.ts';

describe('registerHook', () => {
  test('[HK1] a hook before sending replaces the message that is stored and sent', async () => {
    const alice = speaker('Alice');
    const bob = speaker('Bob');
    alice.registerHook('processMessageBeforeSend', ({ message, recipient, silent }) => {
      return `${message} to ${recipient.name}, silent: ${silent}`;
    });
    await alice.send('hello', bob, { requestReply: false, silent: true });
    expect(bob.lastMessage(alice)?.content).toBe('hello to Bob, silent: true');
    expect(alice.lastMessage(bob)?.content).toBe('hello to Bob, silent: true');
  });

  test('[HK2] a changed last content changes the stored message', async () => {
    const alice = speaker('Alice');
    const bob = speaker('Bob');
    bob.registerHook('processLastReceivedMessage', (content) => `${content}, checked`);
    await alice.send('hello', bob, { requestReply: true });
    expect(bob.chatMessages.get(alice)?.[0]?.content).toBe('hello, checked');
    expect(alice.chatMessages.get(bob)?.[0]?.content).toBe('hello');
  });

  test.each<[string, ChatMessage]>([
    ['exit', { content: 'exit' }],
    ['a function call', { content: 'x', function_call: { name: 'f' } }],
    ['a context', { content: 'x', context: {} }],
    ['no content', { content: null, tool_calls: [] }],
  ])('[HK2] %s is left as it is', async (_what, message) => {
    const bob = speaker('Bob');
    let calls = 0;
    bob.registerHook('processLastReceivedMessage', (content) => {
      calls += 1;
      return content;
    });
    await bob.generateReply({ messages: [message] });
    expect(calls).toBe(0);
  });

  test('[HK2] a changed list is used for this reply only', async () => {
    const bob = speaker('Bob');
    const messages = [{ role: 'user', content: 'one' }];
    bob.registerHook('processAllMessagesBeforeReply', (all) => [...all, { content: 'TERMINATE' }]);
    expect(await bob.generateReply({ messages })).toBeNull();
    expect(messages).toHaveLength(1);
  });

  test('[HK3] a hook is registered once, and only for a list that exists', () => {
    const bob = speaker('Bob');
    const hook: HookMethods['processAllMessagesBeforeReply'] = (all) => all;
    bob.registerHook('processAllMessagesBeforeReply', hook);
    const again = () => bob.registerHook('processAllMessagesBeforeReply', hook);
    expect(again).toThrow('hook is already registered as a hook.');
    const unknown = () => bob.registerHook('processEverything' as keyof HookMethods, hook as never);
    expect(unknown).toThrow('processEverything is not a hookable method.');
    bob.removeHook('processAllMessagesBeforeReply', hook);
    expect(again).not.toThrow();
  });
});
