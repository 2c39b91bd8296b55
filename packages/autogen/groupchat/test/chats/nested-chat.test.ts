import { describe, expect, test } from 'vitest';
import {
  Agent,
  type ConversableAgent,
  GroupChat,
  GroupChatManager,
  type NestedReplyFunction,
  type RegisterNestedChatsOptions,
  type Trigger,
} from '../../src/index.ts';
import { lines, script, speaker, TestIO } from '../cast.ts';

const opening = { message: 'inner', maxTurns: 1 };

async function ask(owner: ConversableAgent, text = 'x'): Promise<unknown> {
  const user = speaker('user');
  await user.send(text, owner, { requestReply: true });
  return user.lastMessage(owner)?.content;
}

describe('registerNestedChats', () => {
  test('[NEST1] answers with the summary of the last chat', async () => {
    const owner = speaker('owner');
    const queue = [
      { recipient: script('one', 'first'), ...opening },
      { recipient: script('two', 'second'), ...opening },
    ];
    owner.registerNestedChats(queue, [Agent]);
    expect(await ask(owner)).toBe('second');
    expect(queue[1]?.recipient.chatMessages.get(owner)?.[0]?.content).toBe(
      'inner\nContext: \nfirst',
    );
  });

  test('[NEST1] runs for the senders its trigger names only', async () => {
    const owner = speaker('owner');
    owner.registerNestedChats([{ recipient: script('inner', 'y'), ...opening }], 'somebody else');
    expect(await ask(owner)).toBe('I am owner');
  });

  test('[NEST1] another sender than the owner may be named', async () => {
    const owner = speaker('owner');
    const other = speaker('other');
    const inner = script('inner', 'y');
    owner.registerNestedChats([{ sender: other, recipient: inner, ...opening }], [Agent]);
    await ask(owner);
    expect(inner.chatMessages.has(other)).toBe(true);
  });

  test('[NEST2] the first chat opens with the message that triggered it, others without opening are skipped', async () => {
    const owner = speaker('owner');
    const first = script('first', 'a');
    const second = script('second', 'b');
    owner.registerNestedChats(
      [
        { recipient: first, maxTurns: 1 },
        { recipient: second, maxTurns: 1 },
      ],
      [Agent],
    );
    expect(await ask(owner, 'the trigger')).toBe('a');
    expect(first.chatMessages.get(owner)?.[0]?.content).toBe('the trigger');
    expect(second.chatMessages.size).toBe(0);
  });

  test('[NEST2] without any opening the owner answers nothing', async () => {
    const owner = speaker('owner');
    owner.registerNestedChats([{ recipient: speaker('inner'), message: () => null }], [Agent]);
    expect(
      await owner.generateReply({ messages: [{ content: 'x' }], sender: speaker('u') }),
    ).toBeNull();
  });

  test('[NEST2] a message with parts can open a nested chat', async () => {
    const owner = speaker('owner');
    const inner = script('inner', 'seen');
    owner.registerNestedChats([{ recipient: inner, maxTurns: 1 }], [Agent]);
    const parts = [{ type: 'text' as const, text: 'part' }];
    const reply = await owner.generateReply({
      messages: [{ content: parts }],
      sender: speaker('u'),
    });
    expect(reply).toBe('seen');
    expect(inner.chatMessages.get(owner)?.[0]?.content).toEqual(parts);
  });

  test('[NEST3] stands right after the termination check', async () => {
    const owner = speaker('owner');
    owner.registerNestedChats([{ recipient: script('inner', 'y'), ...opening }], [Agent]);
    expect(
      await owner.generateReply({ messages: [{ content: 'TERMINATE' }], sender: speaker('u') }),
    ).toBeNull();
    expect(owner.autoReplies.count(owner)).toBe(0);
  });

  test('[NEST3] comes before that check where a guard was put in front first', async () => {
    const owner = speaker('owner');
    owner.registerReply([Agent, null], () => [false, null]);
    owner.registerNestedChats([{ recipient: script('inner', 'y'), ...opening }], [Agent]);
    expect(await ask(owner, 'TERMINATE')).toBe('y');
  });

  test('[NEST1] another function may make the reply', async () => {
    const owner = speaker('owner');
    const reply: NestedReplyFunction = (queue, recipient, messages, sender) => [
      true,
      `${queue.length} ${recipient.name} ${messages.length} ${sender?.name}`,
    ];
    owner.registerNestedChats([{ recipient: speaker('inner') }], [Agent], {
      replyFuncFromNestedChats: reply,
    });
    expect(await ask(owner)).toBe('1 owner 1 user');
  });

  test('[NEST1] rejects a value that cannot make a reply', () => {
    const options = {
      replyFuncFromNestedChats: 'summary',
    } as unknown as RegisterNestedChatsOptions;
    const register = (trigger: Trigger) =>
      speaker('owner').registerNestedChats([], trigger, options);
    expect(() => register([Agent])).toThrow('reply_func_from_nested_chats must be a callable');
  });

  test('[CHAT5] an error inside ends the outer chat', async () => {
    const owner = speaker('owner');
    const inner = speaker('inner');
    inner.registerReply([Agent, null], () => {
      throw new RangeError('inside');
    });
    owner.registerNestedChats(
      [{ recipient: inner, ...opening }],
      (sender) => sender?.name === 'user',
    );
    await expect(ask(owner)).rejects.toThrow(RangeError);
  });

  test('[NEST1] in a group the manager is the sender', async () => {
    const owner = speaker('owner');
    const boss = speaker('boss');
    owner.registerNestedChats(
      [{ recipient: script('inner', 'nested'), ...opening }],
      GroupChatManager as never,
    );
    const groupchat = new GroupChat({
      agents: [boss, owner],
      maxRound: 2,
      speakerSelectionMethod: 'round_robin',
    });
    const manager = new GroupChatManager({ groupchat, io: new TestIO() });
    await boss.initiateChat(manager, { message: 'x' });
    expect(lines(groupchat.messages)).toEqual(['boss: x', 'owner: nested']);
  });
});
