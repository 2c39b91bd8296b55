import { describe, expect, test } from 'vitest';
import { Agent, contentText, GroupChat, GroupChatManager } from '../../src/index.ts';
import { lines, script, speaker, TestIO } from '../cast.ts';

describe('the ways to end a conversation', () => {
  test('[HT10] a predicate on the message', async () => {
    const writer = script('writer', 'draft', 'better draft', 'final: done');
    const reader = speaker('reader', {
      isTerminationMsg: ({ content }) => contentText(content).endsWith('done'),
    });
    const { chatHistory } = await reader.initiateChat(writer, { message: 'write' });
    expect(lines(chatHistory).at(-1)).toBe('writer: final: done');
    expect(chatHistory).toHaveLength(6);
  });

  test('[CHAT1] a number of turns', async () => {
    const { chatHistory } = await speaker('A').initiateChat(speaker('B'), {
      message: 'go',
      maxTurns: 3,
    });
    expect(chatHistory).toHaveLength(6);
  });

  test('[HT2] a number of automatic replies in a row', async () => {
    const limited = speaker('B', { maxConsecutiveAutoReply: 2 });
    const { chatHistory } = await speaker('A').initiateChat(limited, { message: 'go' });
    expect(lines(chatHistory).filter((line) => line.startsWith('B'))).toHaveLength(2);
  });

  test('[HT7] a person who approves', async () => {
    const io = new TestIO('make it shorter', 'exit');
    const person = speaker('person', { humanInputMode: 'ALWAYS', io });
    const writer = script('writer', 'long draft', 'short draft');
    const { chatHistory, humanInput } = await person.initiateChat(writer, { message: 'write' });
    expect(lines(chatHistory)).toEqual([
      'person: write',
      'writer: long draft',
      'person: make it shorter',
      'writer: short draft',
    ]);
    expect(humanInput).toEqual(['make it shorter', 'exit']);
  });

  test('[HT2] a closure that keeps state', async () => {
    const seen = new Set<string>();
    const reader = speaker('reader', {
      isTerminationMsg: ({ content }) => {
        const text = contentText(content);
        const isRepeated = seen.has(text);
        seen.add(text);
        return isRepeated;
      },
    });
    const writer = script('writer', 'one', 'two', 'one', 'three');
    const { chatHistory } = await reader.initiateChat(writer, { message: 'write' });
    expect(lines(chatHistory).at(-1)).toBe('writer: one');
    expect(chatHistory).toHaveLength(6);
  });

  test('[GC2] a test of the manager, for the whole group', async () => {
    const agents = [speaker('A'), script('B', 'working', 'SHIPPED'), speaker('C')];
    const groupchat = new GroupChat({
      agents,
      maxRound: 50,
      speakerSelectionMethod: 'round_robin',
    });
    const manager = new GroupChatManager({
      groupchat,
      io: new TestIO(),
      isTerminationMsg: ({ content }) => content === 'SHIPPED',
    });
    await agents[0]?.initiateChat(manager, { message: 'go' });
    expect(lines(groupchat.messages).at(-1)).toBe('B: SHIPPED');
    expect(groupchat.messages).toHaveLength(5);
  });

  test('[RC3] a clock that runs out', async () => {
    let now = 0;
    const deadline = 60_000;
    const worker = speaker('worker');
    worker.registerReply([Agent, null], () => {
      now += 25_000;
      return now > deadline ? [true, null] : [false, null];
    });
    const { chatHistory } = await speaker('boss').initiateChat(worker, { message: 'work' });
    expect(lines(chatHistory).filter((line) => line.startsWith('worker'))).toHaveLength(2);
  });
});
