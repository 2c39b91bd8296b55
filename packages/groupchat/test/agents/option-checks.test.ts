import { describe, expect, test } from 'vitest';
import { type ConversableAgentOptions, GroupChat } from '../../src/index.ts';
import { speaker } from '../cast.ts';

describe('options', () => {
  test.each<[object, string]>([
    [
      { humanInputMode: 'SOMETIMES' },
      "option 'humanInputMode': expected 'ALWAYS', 'TERMINATE' or 'NEVER', received SOMETIMES",
    ],
    [
      { maxConsecutiveAutoReply: -1 },
      "option 'maxConsecutiveAutoReply': expected a number from 0 up, received -1",
    ],
    [
      { maxConsecutiveAutoReply: Number.NaN },
      "option 'maxConsecutiveAutoReply': expected a number from 0 up, received NaN",
    ],
    [
      { functionMap: { 'a b': () => '' } },
      "Invalid name: a b. Only letters, numbers, '_' and '-' are allowed.",
    ],
  ])('[GOP1] of an agent: %j', (options, message) => {
    expect(() => speaker('A', options as Partial<ConversableAgentOptions>)).toThrow(message);
  });

  test.each([[-1], [1.5], [Number.NaN], ['2']])('[GOP1] of a chat: %j turns', async (maxTurns) => {
    const chat = speaker('A').initiateChat(speaker('B'), {
      message: 'x',
      maxTurns: maxTurns as number,
    });
    await expect(chat).rejects.toThrow("option 'maxTurns': expected an integer from 0 up");
  });

  test('[GOP1] of a chat: endless turns are no turns to count', async () => {
    const b = speaker('B', { maxConsecutiveAutoReply: 1 });
    const { chatHistory } = await speaker('A').initiateChat(b, {
      message: 'x',
      maxTurns: Number.POSITIVE_INFINITY,
    });
    expect(chatHistory).toHaveLength(3);
  });

  test('[GOP1] of a group: rounds', () => {
    const make = () => new GroupChat({ agents: [], maxRound: -1 });
    expect(make).toThrow("option 'maxRound': expected a number from 0 up, received -1");
  });
});
