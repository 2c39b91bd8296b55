import { describe, expect, test } from 'vitest';
import { Agent, type ChatMessage, NoEligibleSpeaker } from '../../src/index.ts';
import { lines, script, speaker, TestIO } from '../cast.ts';

describe('initiateChat', () => {
  test('[CHAT1] with maxTurns each side speaks at most so many times', async () => {
    const { chatHistory } = await speaker('Alice').initiateChat(speaker('Bob'), {
      message: 'hello',
      maxTurns: 2,
    });
    expect(lines(chatHistory)).toEqual([
      'Alice: hello',
      'Bob: I am Bob',
      'Alice: I am Alice',
      'Bob: I am Bob',
    ]);
  });

  test('[CHAT1] a silent recipient does not end the chat, a silent initiator does', async () => {
    const mute = () => speaker('mute', { defaultAutoReply: null });
    const talking = await speaker('A').initiateChat(mute(), { message: 'hello', maxTurns: 3 });
    expect(lines(talking.chatHistory)).toEqual(['A: hello', 'A: I am A', 'A: I am A']);
    const silent = await mute().initiateChat(speaker('A'), { message: 'hello', maxTurns: 3 });
    expect(lines(silent.chatHistory)).toEqual(['mute: hello', 'A: I am A']);
  });

  test('[CHAT1] no turns at all say nothing', async () => {
    const { chatHistory, summary } = await speaker('A').initiateChat(speaker('B'), {
      message: 'hello',
      maxTurns: 0,
    });
    expect([chatHistory, summary]).toEqual([[], '']);
  });

  test('[CHAT2] without maxTurns it goes on for thousands of messages', async () => {
    const alice = speaker('Alice', { maxConsecutiveAutoReply: 2_500 });
    const bob = speaker('Bob', { maxConsecutiveAutoReply: 2_500 });
    const { chatHistory } = await alice.initiateChat(bob, { message: 'hello' });
    expect(chatHistory).toHaveLength(5_001);
  });

  test('[CHAT2] lets other tasks run meanwhile', async () => {
    let turns = 0;
    const alice = speaker('Alice', { maxConsecutiveAutoReply: 1_000 });
    const bob = speaker('Bob', { maxConsecutiveAutoReply: 1_000 });
    bob.registerReply([Agent, null], async () => {
      await new Promise((resolve) => setImmediate(resolve));
      turns += 1;
      return [false, null];
    });
    const chat = alice.initiateChat(bob, { message: 'hello' });
    await new Promise((resolve) => setImmediate(resolve));
    const seen = turns;
    await chat;
    expect(seen).toBeLessThan(turns);
  });

  test('[CHAT3] begins a new history and new counters by default', async () => {
    const alice = speaker('Alice');
    const bob = speaker('Bob', { maxConsecutiveAutoReply: 1 });
    await alice.initiateChat(bob, { message: 'one' });
    const again = await alice.initiateChat(bob, { message: 'two' });
    expect(lines(again.chatHistory).slice(0, 2)).toEqual(['Alice: two', 'Bob: I am Bob']);
    const more = await alice.initiateChat(bob, { message: 'three', clearHistory: false });
    expect(more.chatHistory.length).toBe(again.chatHistory.length * 2);
  });

  test('[CHAT4] a computed opening is used as it is', async () => {
    const { chatHistory } = await speaker('A').initiateChat(speaker('B'), {
      message: (sender, recipient, context) =>
        `${sender.name} to ${recipient.name}: ${context.topic} ${context.carryover}`,
      carryover: 'kept',
      context: { topic: 'fuses' },
      maxTurns: 1,
    });
    expect(chatHistory[0]?.content).toBe('A to B: fuses kept');
  });

  test.each([[null], [2]])(
    '[CHAT4] a computed opening of nothing says nothing (maxTurns: %s)',
    async (maxTurns) => {
      const { chatHistory } = await speaker('A').initiateChat(speaker('B'), {
        message: () => null,
        maxTurns,
      });
      expect(chatHistory).toEqual([]);
    },
  );

  test('[CHAT4] a person is asked where there is no opening', async () => {
    const io = new TestIO('from a person');
    const { chatHistory } = await speaker('A', { io }).initiateChat(speaker('B'), { maxTurns: 1 });
    expect(io.prompts).toEqual(['>']);
    expect(chatHistory[0]?.content).toBe('from a person');
  });

  test('[CHAT5] an error reaches the caller unchanged', async () => {
    const broken = new Error('broken');
    const bob = speaker('Bob');
    bob.registerReply([Agent, null], () => {
      throw broken;
    });
    await expect(speaker('A').initiateChat(bob, { message: 'x' })).rejects.toBe(broken);
  });

  test('[CHAT5] outside of a group NoEligibleSpeaker is an error like others', async () => {
    const bob = speaker('Bob');
    bob.registerReply([Agent, null], () => {
      throw new NoEligibleSpeaker();
    });
    const chat = speaker('A').initiateChat(bob, { message: 'x' });
    await expect(chat).rejects.toMatchObject({ code: 'NO_ELIGIBLE_SPEAKER' });
  });

  test('[CHAT6] the result stays as it is when the two talk again', async () => {
    const alice = speaker('Alice');
    const bob = speaker('Bob');
    const first = await alice.initiateChat(bob, { message: 'one', maxTurns: 1 });
    await alice.initiateChat(bob, { message: 'two', maxTurns: 1 });
    expect(lines(first.chatHistory)).toEqual(['Alice: one', 'Bob: I am Bob']);
  });
});

describe('carryover', () => {
  const open = async (message: string | ChatMessage, carryover: unknown) => {
    const { chatHistory } = await speaker('A').initiateChat(speaker('B'), {
      message,
      carryover: carryover as string,
      maxTurns: 1,
    });
    return chatHistory[0]?.content;
  };

  test.each([
    ['text', 'x\nContext: \ntext'],
    [['a', 'b'], 'x\nContext: \na\nb'],
    [['a', { content: 'b' }], 'x\nContext: \na\nb'],
    ['', 'x'],
    [[], 'x'],
  ])('[CARRY1] %j is added after the message', async (carryover, expected) => {
    expect(await open('x', carryover)).toBe(expected);
  });

  test('[CARRY1] stands before the parts of a message, which itself stays as it was', async () => {
    const message: ChatMessage = { content: [{ type: 'text', text: 'part' }] };
    expect(await open(message, 'kept')).toEqual([
      { type: 'text', text: '\nContext: \nkept' },
      { type: 'text', text: 'part' },
    ]);
    expect(message.content).toHaveLength(1);
  });

  test('[CARRY1] has to be text or a list', async () => {
    await expect(open('x', 5)).rejects.toMatchObject({ code: 'INVALID_CARRYOVER_TYPE' });
  });
});

describe('initiateChats', () => {
  test('[QUEUE1] carries summaries over, but for those that are excluded', async () => {
    const alice = speaker('Alice');
    const names = ['B', 'C', 'D'];
    const results = await alice.initiateChats(
      names.map((name, at) => ({
        recipient: script(name, `${name} done`),
        message: `do ${name}`,
        maxTurns: 1,
        ...(at === 2 ? { finishedChatIndexesToExcludeFromCarryover: [0] } : {}),
      })),
    );
    expect(results.map(({ chatHistory }) => chatHistory[0]?.content)).toEqual([
      'do B',
      'do C\nContext: \nB done',
      'do D\nContext: \nC done',
    ]);
    expect(alice.getChatResults()).toBe(results);
  });

  test('[QUEUE1] does not change the queue, so that it can be run again', async () => {
    const alice = speaker('Alice');
    const queue = ['B', 'C'].map((name) => ({
      recipient: script(name, 'done'),
      message: 'go',
      maxTurns: 1,
    }));
    const openings = async () =>
      (await alice.initiateChats(queue)).map(({ chatHistory }) => chatHistory[0]?.content);
    expect(await openings()).toEqual(await openings());
  });

  test('[QUEUE1] warns of a recipient that comes twice', async () => {
    const io = new TestIO();
    const bob = speaker('Bob');
    const item = { recipient: bob, message: 'x', maxTurns: 1 };
    await speaker('Alice', { io }).initiateChats([item, item]);
    expect(io.warnings[0]).toMatch(/^Repetitive recipients detected:/);
  });
});
