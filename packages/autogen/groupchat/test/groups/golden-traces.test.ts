import { ReplayChatCompletionClient } from '@teamfuse/models';
import { describe, expect, test } from 'vitest';
import {
  Agent,
  type ChatMessage,
  type ConversableAgent,
  contentText,
  GroupChat,
  GroupChatManager,
  type GroupChatOptions,
} from '../../src/index.ts';
import { lines, script, speaker, TestIO } from '../cast.ts';

/** Records what is passed to a guard in front of each reply chain: owner, sender, number of messages, last one. */
class Guards {
  readonly seen: string[] = [];

  watch(...agents: readonly ConversableAgent[]): this {
    for (const agent of agents) {
      agent.registerReply([Agent, null], (recipient, messages, sender) => {
        const last = messages?.at(-1) as ChatMessage;
        const speaker = sender instanceof GroupChatManager ? ` ${sender.lastSpeaker?.name}` : '';
        this.seen.push(
          `${recipient.name}(${sender?.name}, ${messages?.length}, ${last.name}/${last.role} ${contentText(last.content)})${speaker}`,
        );
        return [false, null];
      });
    }
    return this;
  }
}

function group(agents: readonly ConversableAgent[], options: Partial<GroupChatOptions> = {}) {
  const groupchat = new GroupChat({ agents, speakerSelectionMethod: 'round_robin', ...options });
  const manager = new GroupChatManager({ groupchat, io: new TestIO() });
  return { groupchat, manager };
}

function abc(): [ConversableAgent, ConversableAgent, ConversableAgent] {
  return [speaker('A'), speaker('B'), speaker('C')];
}

describe('guards in a group', () => {
  test('[GC3] a member opens: manager once, members once a turn', async () => {
    const [a, b, c] = abc();
    const { manager, groupchat } = group([a, b, c], { maxRound: 4 });
    const guards = new Guards().watch(a, b, c, manager);
    const { summary } = await a.initiateChat(manager, { message: 'hello' });
    expect(guards.seen).toEqual([
      'chat_manager(A, 1, A/user hello)',
      'B(chat_manager, 1, A/user hello) A',
      'C(chat_manager, 2, B/user I am B) B',
      'A(chat_manager, 3, C/user I am C) C',
    ]);
    expect(groupchat.messages.map(({ role }) => role)).toEqual(['user', 'user', 'user', 'user']);
    expect(a.chatMessages.get(manager)?.map(({ role }) => role)).toEqual([
      'assistant',
      'user',
      'user',
      'assistant',
    ]);
    expect([a, b, c].map((agent) => agent.autoReplies.count(manager))).toEqual([1, 1, 1]);
    expect(manager.autoReplies.count(a)).toBe(0);
    expect(summary).toBe('I am A');
  });

  test('[GC3] an outsider opens, and sees nothing but its own words', async () => {
    const [a, b, c] = abc();
    const out = speaker('OUT');
    const { manager } = group([a, b, c], { maxRound: 4 });
    const guards = new Guards().watch(a, b, c, manager, out);
    const { summary, chatHistory } = await out.initiateChat(manager, { message: 'hello' });
    expect(guards.seen).toEqual([
      'chat_manager(OUT, 1, OUT/user hello)',
      'A(chat_manager, 1, OUT/user hello) OUT',
      'B(chat_manager, 2, A/user I am A) A',
      'C(chat_manager, 3, B/user I am B) B',
    ]);
    expect(chatHistory).toHaveLength(1);
    expect(summary).toBe('hello');
  });

  test('[GC4] maxTurns 2 runs the group twice', async () => {
    const [a, b, c] = abc();
    const { manager, groupchat } = group([a, b, c], { maxRound: 4 });
    const guards = new Guards().watch(a, b, c, manager);
    await a.initiateChat(manager, { message: 'hello', maxTurns: 2 });
    expect(guards.seen.slice(4)).toEqual([
      'A(chat_manager, 4, A/assistant I am A) A',
      'chat_manager(A, 5, A/user I am A)',
      'B(chat_manager, 5, A/user I am A) A',
      'C(chat_manager, 6, B/user I am B) B',
      'A(chat_manager, 7, C/user I am C) C',
    ]);
    expect(groupchat.messages).toHaveLength(8);
  });

  test('[GC2] a terminating message is shared and not answered', async () => {
    const [a, b] = abc();
    const c = script('C', 'TERMINATE');
    const { manager } = group([a, b, c]);
    const guards = new Guards().watch(a, b, c, manager);
    const { summary } = await a.initiateChat(manager, { message: 'hello' });
    expect(guards.seen.map((line) => line[0])).toEqual(['c', 'B', 'C']);
    expect(lines(a.chatMessages.get(manager) ?? []).at(-1)).toBe('C: TERMINATE');
    expect(summary).toBe('');
  });

  test('[GC2] a terminating opening reaches all members and no more happens', async () => {
    const [a, b, c] = abc();
    const { manager, groupchat } = group([a, b, c]);
    const guards = new Guards().watch(a, b, c, manager);
    await a.initiateChat(manager, { message: 'TERMINATE' });
    expect(guards.seen).toHaveLength(1);
    expect(groupchat.messages).toHaveLength(1);
    expect(b.chatMessages.get(manager)).toHaveLength(1);
  });

  test('[GC3] a speaker chosen twice sees its own words as the last', async () => {
    const [a, b, c] = abc();
    const order = [b, b, c];
    const { manager } = group([a, b, c], {
      maxRound: 4,
      speakerSelectionMethod: () => order.shift() ?? null,
    });
    const guards = new Guards().watch(b, c);
    await a.initiateChat(manager, { message: 'hello' });
    expect(guards.seen).toEqual([
      'B(chat_manager, 1, A/user hello) A',
      'B(chat_manager, 2, B/assistant I am B) B',
      'C(chat_manager, 3, B/user I am B) B',
    ]);
  });
});

describe('speaker selection by a model', () => {
  async function choose(...answers: string[]) {
    const [a, b, c] = abc();
    const client = new ReplayChatCompletionClient(answers);
    const groupchat = new GroupChat({ agents: [a, b, c], maxRound: 2 });
    const manager = new GroupChatManager({ groupchat, io: new TestIO(), llmConfig: { client } });
    await a.initiateChat(manager, { message: 'hello' });
    return { client, next: groupchat.messages.at(-1)?.name };
  }

  test('[SPC4] one name settles it', async () => {
    const { client, next } = await choose('I pick C');
    expect(next).toBe('C');
    expect(client.calls.map(({ messages }) => messages.length)).toEqual([3]);
    const [system, transcript, prompt] = client.calls[0]?.messages ?? [];
    expect(system).toMatchObject({ type: 'SystemMessage' });
    expect(transcript).toMatchObject({ type: 'UserMessage', source: 'A', content: 'hello' });
    expect(prompt).toMatchObject({ type: 'SystemMessage', name: 'checking_agent' });
  });

  test('[SPC4] several names or none are asked again, with the earlier answers shown', async () => {
    const { client, next } = await choose('A and B', 'nobody', 'C');
    expect(next).toBe('C');
    expect(client.calls.map(({ messages }) => messages.length)).toEqual([3, 5, 7]);
    expect(client.calls[1]?.messages[3]).toMatchObject({
      type: 'AssistantMessage',
      source: 'speaker_selection_agent',
      content: 'A and B',
    });
  });

  test('[SPC4] in the end the next in the ring speaks', async () => {
    const { client, next } = await choose('x', 'y', 'z');
    expect(next).toBe('B');
    expect(client.calls).toHaveLength(3);
  });
});

describe('guards around nested chats', () => {
  test('[NEST1] owner, nested recipient, and whoever is answered', async () => {
    const user = script('U', 'more');
    user.updateMaxConsecutiveAutoReply(1);
    const writer = script('W', 'the end');
    const reviewer = speaker('R', { defaultAutoReply: 'I am rev' });
    writer.registerNestedChats(
      [
        {
          recipient: reviewer,
          message: (_owner, messages) => `review: ${contentText(messages.at(-1)?.content)}`,
          maxTurns: 1,
        },
      ],
      user,
    );
    const guards = new Guards().watch(user, writer, reviewer);
    await user.initiateChat(writer, { message: 'draft' });
    expect(guards.seen).toEqual([
      'W(U, 1, U/user draft)',
      'R(W, 1, W/user review: draft)',
      'U(W, 2, W/user I am rev)',
      'W(U, 3, U/user more)',
      'R(W, 1, W/user review: more)',
      'U(W, 4, W/user I am rev)',
    ]);
  });
});

describe('messages to the members of a group', () => {
  test('[GC1] to the manager aloud, by the manager in silence', async () => {
    const [a, b, c] = abc();
    const { manager } = group([a, b, c], { maxRound: 3 });
    const sent: string[] = [];
    for (const agent of [a, b, c, manager]) {
      agent.registerHook('processMessageBeforeSend', ({ sender, message, recipient, silent }) => {
        const text = typeof message === 'string' ? message : contentText(message.content);
        sent.push(`${sender.name}→${recipient.name} ${text} ${silent}`);
        return message;
      });
    }
    await a.initiateChat(manager, { message: 'hello' });
    expect(sent).toEqual([
      'A→chat_manager hello false',
      'chat_manager→B hello true',
      'chat_manager→C hello true',
      'B→chat_manager I am B false',
      'chat_manager→A I am B true',
      'chat_manager→C I am B true',
      'C→chat_manager I am C false',
      'chat_manager→A I am C true',
      'chat_manager→B I am C true',
    ]);
  });
});
