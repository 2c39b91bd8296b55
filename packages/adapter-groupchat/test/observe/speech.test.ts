import { ConversableAgent, generateToolCallsReply } from '@teamfuse/groupchat';
import { describe, expect, test } from 'vitest';
import { guardAgents } from '../../src/index.ts';
import { group, silence, speaker } from '../support/agents.ts';
import { bareBreaker } from '../support/bare-breaker.ts';
import { ofKind, record, said } from '../support/signals.ts';
import { watched } from '../support/watched.ts';

const CALL = { content: null, tool_calls: [{ id: '1', function: { name: 'add' } }] };

describe('the author of a message', () => {
  test.each([
    ['it is heard as it speaks', 0],
    ['its peer is', 1],
  ])('[GCS6] is the agent itself, whatever name it gives, where %s', async (_, at) => {
    const [a, b] = [speaker('A'), speaker('B')];
    const { signals } = watched([a, b].slice(at, at + 1));
    await a.send({ content: 'hello', name: 'Zoe' }, b);
    expect(said(signals)).toEqual(['A: hello']);
  });

  test('[GCS11] is the manager that passes a function result on, where nobody else is heard', async () => {
    const asker = new ConversableAgent({ name: 'asker', io: silence, humanInputMode: 'NEVER' });
    asker.registerReply([() => true, null], () => [
      true,
      { content: null, function_call: { name: 'now', arguments: '{}' } },
    ]);
    const runner = speaker('runner', '', { functionMap: { now: () => 'noon' } });
    const { manager } = group([asker, runner], { maxRound: 3 });
    const { signals } = watched([asker]);
    await runner.initiateChat(manager, { message: 'When?' });
    expect(said(signals)).toEqual(['runner: When?', 'chat_manager: noon']);
  });

  test('[GCS2] is who hands it to a group, also without sending it', async () => {
    const [a, b] = [speaker('A'), speaker('B')];
    const { manager } = group([a, b], { maxRound: 2 });
    const { signals } = watched([a, b, manager]);
    await manager.generateReply({ messages: [{ role: 'user', content: 'hello' }], sender: a });
    expect(said(signals)).toEqual(['A: hello', 'B: I am B']);
  });

  test('[GCS24] is a person only for the task itself, not for what is said to others before', async () => {
    const [user, friend, member] = [speaker('user'), speaker('friend'), speaker('A')];
    const { manager } = group([member], { maxRound: 1 });
    const { signals } = watched([user, member, manager]);
    await user.initiateChat(manager, {
      message: async () => {
        await user.send('psst', friend, { requestReply: false });
        return 'hello';
      },
    });
    expect(signals).toMatchObject([
      { kind: 'message', agent: 'user', text: 'psst' },
      { kind: 'human-input', agent: 'user', text: 'hello', isAutomatic: true },
    ]);
  });

  test('[GCS10] of a call that nobody in particular asks for is the agent that makes it', async () => {
    const runner = speaker('runner', '', { functionMap: { add: () => 3 } });
    const { signals } = watched([runner]);
    await runner.generateReply({ messages: [CALL] });
    expect(ofKind(signals, 'tool-call')).toMatchObject([{ agent: 'runner', tool: 'add' }]);
  });
});

describe('what a message passes on', () => {
  test('[GCS23] is told if it comes with a call, also by an agent that runs a group', async () => {
    const a = Object.assign(speaker('A'), { groupchat: { agents: [], messages: [] } });
    const { signals } = watched([a]);
    await a.send({ ...CALL, content: 'Let me see.' }, speaker('B'));
    expect(said(signals)).toEqual(['A: Let me see.']);
  });

  test('[GCS23] is told if it is the result of a call that was not heard of', async () => {
    const a = speaker('A');
    const { signals } = watched([a]);
    const responses = [{ tool_call_id: '1', role: 'tool', content: '3' } as const];
    await a.send({ role: 'tool', tool_responses: responses, content: '3' }, speaker('B'));
    expect(said(signals)).toEqual(['A: 3']);
  });

  test('[GCS23] is not told if it only asks for calls, also where its author is not heard', async () => {
    const runner = speaker('runner', '', { functionMap: { add: () => 3 } });
    const { signals } = watched([runner]);
    await speaker('asker').initiateChat(runner, { message: CALL, maxTurns: 1 });
    expect(signals.map(({ kind }) => kind)).toEqual(['tool-call']);
  });

  test('[GCS23] is told if an agent says something else after a call', async () => {
    const runner = speaker('runner', '', { functionMap: { add: () => 3 } });
    runner.replaceReplyFunc(generateToolCallsReply, async (...asked) => {
      await generateToolCallsReply(...asked);
      return [true, 'That was easy.'];
    });
    const { signals } = watched([runner]);
    await speaker('asker').initiateChat(runner, { message: CALL, maxTurns: 1 });
    expect(said(signals)).toEqual(['runner: That was easy.']);
  });

  test('[GCS23] is not told if it is the outcome of nested chats, in whatever form', async () => {
    const [user, writer, critic] = [speaker('user'), speaker('writer'), speaker('critic')];
    writer.registerNestedChats([{ recipient: critic, message: 'Well?' }], [user], {
      replyFuncFromNestedChats: () => [true, { content: 'All is well.' }],
    });
    const { signals } = watched([user, writer]);
    await user.initiateChat(writer, { message: 'Write!', maxTurns: 1 });
    expect(ofKind(signals, 'nested-end')).toMatchObject([{ text: 'All is well.' }]);
    expect(said(signals)).toEqual(['user: Write!']);
  });

  test('[GCT9] is not told if it is the reason of a trip, also where a hook adds to it', async () => {
    const breaker = bareBreaker({ maxMessages: 1 });
    const signals = record(breaker);
    const [a, b] = [speaker('A'), speaker('B')];
    b.registerHook('processMessageBeforeSend', ({ message }) => `${message}!`);
    guardAgents([a, b], breaker, { onTrip: 'reply' });
    const { chatHistory } = await a.initiateChat(b, { message: 'hello' });
    expect(chatHistory.at(-1)?.content).toMatch(/^\[CIRCUIT OPEN\] .*!$/);
    expect(said(signals)).toEqual(['A: hello']);
  });
});
