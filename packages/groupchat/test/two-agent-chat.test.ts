import { describe, expect, test } from 'vitest';
import { ConversableAgent, GroupChat, GroupChatManager, type IOStream } from '../src/index.ts';

const io: IOStream = { print() {}, warn() {}, input: async () => '' };

function speaker(name: string): ConversableAgent {
  return new ConversableAgent({
    name,
    io,
    humanInputMode: 'NEVER',
    defaultAutoReply: `I am ${name}`,
  });
}

describe('a chat between two agents', () => {
  test('[CHAT1] with maxTurns each side speaks at most so many times', async () => {
    const alice = speaker('Alice');
    const result = await alice.initiateChat(speaker('Bob'), { message: 'hello', maxTurns: 2 });
    expect(result.chatHistory.map(({ name, content }) => `${name}: ${content}`)).toEqual([
      'Alice: hello',
      'Bob: I am Bob',
      'Alice: I am Alice',
      'Bob: I am Bob',
    ]);
  });

  test('[CHAT2] without maxTurns it goes on for thousands of messages', async () => {
    const alice = speaker('Alice');
    alice.updateMaxConsecutiveAutoReply(2_500);
    const bob = speaker('Bob');
    bob.updateMaxConsecutiveAutoReply(2_500);
    const result = await alice.initiateChat(bob, { message: 'hello' });
    expect(result.chatHistory).toHaveLength(5_001);
  });

  test('[GROUP1] a group takes turns until its rounds are used up', async () => {
    const members = ['A', 'B', 'C'].map(speaker);
    const groupchat = new GroupChat({
      agents: members,
      maxRound: 4,
      speakerSelectionMethod: 'round_robin',
    });
    const manager = new GroupChatManager({ groupchat, io, silent: true });
    await members[0]?.initiateChat(manager, { message: 'hello' });
    expect(groupchat.messages.map(({ name, content }) => `${name}: ${content}`)).toEqual([
      'A: hello',
      'B: I am B',
      'C: I am C',
      'A: I am A',
    ]);
  });
});
