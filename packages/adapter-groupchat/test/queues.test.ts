import { describe, expect, test } from 'vitest';
import { guardAgents } from '../src/index.ts';
import { speaker } from './support/agents.ts';
import { bareBreaker } from './support/bare-breaker.ts';
import { ofKind, record } from './support/signals.ts';

type Party = 'writer' | 'critic' | 'editor' | 'friend';

/** A writer with two chats queued for each answer, who has one chat of its own choice in place of them. */
async function chatsInQueue([sender, recipient]: readonly [Party, Party]) {
  const agents = {
    writer: speaker('writer'),
    critic: speaker('critic'),
    editor: speaker('editor'),
    friend: speaker('friend'),
  };
  const { writer, critic, editor } = agents;
  writer.registerNestedChats(
    [
      { recipient: critic, message: 'Well?' },
      { sender: editor, recipient: critic, message: 'Well?' },
    ],
    () => true,
    {
      replyFuncFromNestedChats: async () => {
        await agents[sender].initiateChat(agents[recipient], { message: 'psst', maxTurns: 1 });
        return [true, 'done'];
      },
    },
  );
  const breaker = bareBreaker();
  const signals = record(breaker);
  guardAgents(Object.values(agents), breaker);
  await speaker('user').initiateChat(writer, { message: 'Write!', maxTurns: 1 });
  return ofKind(signals, 'nested-start').map(({ agent, path }) => `${agent}: ${path.join('/')}`);
}

describe('the queue of an agent', () => {
  const queue = 'writer: user/critic';

  test.each([
    ['its own', ['writer', 'critic']],
    ['of another sender', ['editor', 'critic']],
  ] as const)('[GCS16] has chats in it that are told with it: %s', async (_, chat) => {
    expect(await chatsInQueue(chat)).toEqual([queue]);
  });

  test.each([
    ['with a recipient that is not in it', ['writer', 'friend']],
    ['by a sender that is not in it', ['friend', 'critic']],
    ['between others', ['friend', 'editor']],
  ] as const)('[GCS17] may open another chat, which is nested in it: %s', async (_, chat) => {
    const [sender, recipient] = chat;
    expect(await chatsInQueue(chat)).toEqual([queue, `${sender}: user/critic/${recipient}`]);
  });

  test('[GCS16] without chats, asked to answer nothing, is told as nested', async () => {
    const breaker = bareBreaker();
    const signals = record(breaker);
    const writer = speaker('writer');
    writer.registerNestedChats([], () => true, { position: 0 });
    guardAgents([writer], breaker);
    await writer.generateReply({ messages: [], sender: speaker('user') });
    const [begun] = ofKind(signals, 'nested-start');
    expect(begun).toMatchObject({ agent: 'writer', path: ['writer', 'nested'] });
    expect(begun).not.toHaveProperty('text');
  });
});
