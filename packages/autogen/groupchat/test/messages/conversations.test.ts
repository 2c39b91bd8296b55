import { describe, expect, test } from 'vitest';
import { type ChatMessage, contentText } from '../../src/index.ts';
import { speaker } from '../cast.ts';

const calls = [{ id: '1', type: 'function', function: { name: 'f', arguments: '{}' } }];

async function stored(message: string | ChatMessage): Promise<(ChatMessage | null)[]> {
  const alice = speaker('Alice');
  const bob = speaker('Bob');
  await alice.send(message, bob, { requestReply: false });
  return [alice.lastMessage(bob), bob.lastMessage(alice)];
}

describe('a stored message', () => {
  test('[ST1] keeps the known keys only', async () => {
    const [mine] = await stored({ content: 'x', name: 'zed', extra: 1 } as ChatMessage);
    expect(mine).toEqual({ content: 'x', name: 'zed', role: 'assistant' });
  });

  test.each([
    [{ role: 'user' }],
    [{ content: null }],
    [{ content: null, tool_calls: null }],
  ] as ChatMessage[][])('[ST1] %j is an error, and nothing is stored', async (message) => {
    const alice = speaker('Alice');
    const bob = speaker('Bob');
    await expect(alice.send(message, bob)).rejects.toMatchObject({ code: 'INVALID_MESSAGE' });
    await expect(bob.receive(message, alice)).rejects.toThrow(/^Received message can't/);
    expect(alice.chatMessages.get(bob) ?? []).toEqual([]);
    expect(bob.chatMessages.get(alice) ?? []).toEqual([]);
  });

  test('[ST1] an empty text is a message', async () => {
    expect((await stored({ content: '' }))[0]?.content).toBe('');
  });

  test.each<[ChatMessage, string, string]>([
    [{ content: 'x' }, 'assistant', 'user'],
    [{ content: 'x', role: 'system' }, 'assistant', 'user'],
    [{ content: 'x', role: 'function', name: 'f' }, 'function', 'function'],
    [{ content: 'x', override_role: 'system' }, 'system', 'system'],
    [{ content: null, tool_calls: calls }, 'assistant', 'assistant'],
  ])('[ST2] %j has the roles %s and %s', async (message, mine, theirs) => {
    const [sent, received] = await stored(message);
    expect([sent?.role, received?.role]).toEqual([mine, theirs]);
  });

  test('[ST3] gets the name of its author, unless it asks for a call', async () => {
    expect((await stored('x')).map((message) => message?.name)).toEqual(['Alice', 'Alice']);
    const asking = await stored({ content: null, tool_calls: calls });
    expect(asking.map((message) => message?.name)).toEqual([undefined, undefined]);
  });

  test('[ST4] is answered only when asked to, outside of a chat', async () => {
    const alice = speaker('Alice');
    const bob = speaker('Bob');
    await alice.send('x', bob);
    expect(bob.chatMessages.get(alice)).toHaveLength(1);
    await alice.send('x', bob, { requestReply: true });
    expect(bob.chatMessages.get(alice)).toHaveLength(3);
  });
});

describe('lastMessage', () => {
  test('[CHAT6] needs a peer when there are several, and one that is known', async () => {
    const alice = speaker('Alice');
    const bob = speaker('Bob');
    expect(alice.lastMessage()).toBeNull();
    await alice.send('to bob', bob);
    expect(alice.lastMessage()?.content).toBe('to bob');
    await alice.send('to eve', speaker('Eve'));
    expect(() => alice.lastMessage()).toThrow('More than one conversation');
    expect(() => alice.lastMessage(speaker('Dan'))).toThrow("The agent 'Dan' is not present");
  });
});

describe('contentText', () => {
  test('[CT1] flattens parts', () => {
    const parts = [
      { type: 'text', text: 'see ' },
      { type: 'image_url', image_url: { url: 'u' } },
    ];
    expect(contentText(parts)).toBe('see <image>');
    expect(contentText(null)).toBe('');
  });

  test.each([[5], [[5]], [[{}]], [[{ type: 'sound' }]], [() => '']])(
    '[CT1] rejects %j',
    (content) => {
      expect(() => contentText(content)).toThrow(
        expect.objectContaining({ code: 'INVALID_CONTENT' }),
      );
    },
  );
});
