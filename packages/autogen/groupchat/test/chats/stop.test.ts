import { describe, expect, test } from 'vitest';
import { Agent, type ChatResult, GroupChat, GroupChatManager } from '../../src/index.ts';
import { script, speaker, TestIO } from '../cast.ts';

function why({ stopKind, stopReason }: ChatResult): readonly string[] {
  return [stopKind, stopReason];
}

function managerOf(options: {
  readonly members?: readonly ReturnType<typeof speaker>[];
  readonly maxRound?: number;
  readonly isTerminationMsg?: () => boolean;
  readonly next?: () => null;
}): GroupChatManager {
  const { members = [speaker('B'), speaker('C')], maxRound = 3, isTerminationMsg, next } = options;
  const groupchat = new GroupChat({
    agents: [...members],
    maxRound,
    speakerSelectionMethod: next ?? 'round_robin',
  });
  const io = new TestIO();
  return new GroupChatManager({
    groupchat,
    io,
    silent: true,
    ...(isTerminationMsg && { isTerminationMsg }),
  });
}

describe('why a chat between two agents ended', () => {
  test('[CHAT7] a message that an agent takes as the end of the chat', async () => {
    const b = speaker('B', { isTerminationMsg: () => true });
    expect(why(await speaker('A').initiateChat(b, { message: 'x' }))).toEqual([
      'termination_msg',
      'B took the last message of A as the end of the chat',
    ]);
  });

  test('[CHAT7] the limit of automatic replies', async () => {
    const b = speaker('B', { maxConsecutiveAutoReply: 2 });
    expect(why(await speaker('A').initiateChat(b, { message: 'x' }))).toEqual([
      'max_auto_reply',
      'B reached its limit of 2 automatic replies in a row to A (maxConsecutiveAutoReply)',
    ]);
  });

  test('[CHAT7] the turns', async () => {
    const result = await speaker('A').initiateChat(speaker('B'), { message: 'x', maxTurns: 2 });
    expect(why(result)).toEqual(['max_turns', 'the chat reached its limit of 2 turns (maxTurns)']);
  });

  test('[CHAT7] a person who types exit', async () => {
    const io = new TestIO('go on', 'exit');
    const person = speaker('person', { humanInputMode: 'ALWAYS', io });
    expect(why(await person.initiateChat(speaker('B'), { message: 'x' }))).toEqual([
      'human_exit',
      'a person ended the chat as person',
    ]);
  });

  test('[CHAT7] a person who has nothing to add to the last message', async () => {
    const isTerminationMsg = (): boolean => true;
    const person = speaker('person', {
      humanInputMode: 'TERMINATE',
      io: new TestIO(''),
      isTerminationMsg,
    });
    const { stopKind } = await person.initiateChat(speaker('B'), { message: 'x' });
    expect(stopKind).toBe('termination_msg');
  });

  test('[CHAT7] an agent without a reply', async () => {
    const b = speaker('B', { defaultAutoReply: null });
    expect(why(await speaker('A').initiateChat(b, { message: 'x' }))).toEqual([
      'no_reply',
      'B gave no reply',
    ]);
  });

  test('[CHAT7] a reason of an earlier chat is not told again', async () => {
    const a = speaker('A', { isTerminationMsg: () => true });
    await a.initiateChat(speaker('B'), { message: 'x' });
    const mute = speaker('C', { defaultAutoReply: null });
    expect((await a.initiateChat(mute, { message: 'x' })).stopKind).toBe('no_reply');
  });

  test('[CHAT7] the end of a nested chat is not the end of the outer one', async () => {
    const expert = speaker('expert', { isTerminationMsg: () => true });
    const b = speaker('B', { maxConsecutiveAutoReply: 1 });
    b.registerNestedChats([{ recipient: expert, message: 'help' }], Agent, { position: 2 });
    const result = await speaker('A').initiateChat(b, { message: 'x' });
    expect(result.stopKind).toBe('max_auto_reply');
  });

  test('[CHAT7] a refusal comes before everything else', async () => {
    const b = speaker('B', { isTerminationMsg: () => true });
    b.taps.add({ admit: ({ kind }) => (kind === 'turn' ? { reason: 'enough' } : undefined) });
    const result = await speaker('A').initiateChat(b, { message: 'x', maxTurns: 3 });
    expect(why(result)).toEqual(['refused', 'enough']);
  });
});

describe('why the chat with a group ended', () => {
  const task = { message: 'x' };

  test('[CHAT7] its rounds', async () => {
    expect(why(await speaker('A').initiateChat(managerOf({}), task))).toEqual([
      'max_round',
      'the group reached its limit of 3 rounds (maxRound)',
    ]);
  });

  test('[CHAT7] a message that the manager takes as the end of the chat', async () => {
    const manager = managerOf({ isTerminationMsg: () => true });
    expect(why(await speaker('A').initiateChat(manager, task))).toEqual([
      'termination_msg',
      'chat_manager took the last message of A as the end of the chat',
    ]);
  });

  test('[CHAT7] no member that may speak', async () => {
    const manager = managerOf({ next: () => null });
    expect(why(await speaker('A').initiateChat(manager, task))).toEqual([
      'no_eligible_speaker',
      'no member of chat_manager may speak after A',
    ]);
  });

  test('[CHAT7] a member that ends it', async () => {
    const critic = speaker('critic', { isTerminationMsg: ({ content }) => content === 'done' });
    const manager = managerOf({ members: [script('writer', 'done'), critic] });
    expect(why(await speaker('A').initiateChat(manager, task))).toEqual([
      'termination_msg',
      'critic took the last message of chat_manager as the end of the chat',
    ]);
  });

  test('[CHAT7] a member without a reply', async () => {
    const manager = managerOf({
      members: [speaker('B', { defaultAutoReply: null }), speaker('C')],
    });
    expect(why(await speaker('A').initiateChat(manager, task))).toEqual([
      'no_reply',
      'B gave no reply',
    ]);
  });
});
