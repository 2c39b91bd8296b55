import { ConversableAgent, generateToolCallsReply } from '@teamfuse/groupchat';
import { ReplayChatCompletionClient } from '@teamfuse/models';
import { describe, expect, test } from 'vitest';
import { guardAgents } from '../../src/index.ts';
import { group, silence, speaker, thinker } from '../support/agents.ts';
import { bareBreaker } from '../support/bare-breaker.ts';
import { ofKind, record, said } from '../support/signals.ts';
import { watched } from '../support/watched.ts';

/** What stands in a group, as `author: text`. */
function transcript(messages: readonly { name?: string; content?: unknown }[]): string[] {
  return messages.map(({ name, content }) => `${name}: ${content}`);
}

describe('what a reply function at position 0 misses is seen', () => {
  test('[GCS1] the last message of a group run, of a terminated run and of a bounded chat', async () => {
    const [a, b] = [speaker('A'), speaker('B')];
    const { groupchat, manager } = group([a, b], { maxRound: 3 });
    const { signals } = watched([a, b, manager]);
    await a.initiateChat(manager, { message: 'hello' });
    expect(said(signals)).toEqual(['A: hello', 'B: I am B', 'A: I am A']);
    expect(said(signals)).toEqual(transcript(groupchat.messages));

    const c = speaker('C', 'TERMINATE');
    const ended = group([a, c]);
    const { signals: others } = watched([a, c, ended.manager]);
    await a.initiateChat(ended.manager, { message: 'hello' });
    expect(said(others)).toEqual(['A: hello', 'C: TERMINATE']);

    const { signals: bounded } = watched([a, b]);
    await a.initiateChat(b, { message: 'hello', maxTurns: 2 });
    expect(said(bounded)).toEqual(['A: hello', 'B: I am B', 'A: I am A', 'B: I am B']);
  });

  test('[GCS1] the last message of a nested chat, one level deeper', async () => {
    const [writer, reviewer, user] = [speaker('writer'), speaker('reviewer'), speaker('user')];
    writer.registerNestedChats([{ recipient: reviewer, message: 'Review!', maxTurns: 1 }], [user]);
    const { signals } = watched([writer, reviewer, user]);
    await user.initiateChat(writer, { message: 'Write!', maxTurns: 1 });
    expect(
      ofKind(signals, 'message').map(({ agent, depth, text }) => [depth ?? 0, agent, text]),
    ).toEqual([
      [0, 'user', 'Write!'],
      [1, 'writer', 'Review!'],
      [1, 'reviewer', 'I am reviewer'],
    ]);
    expect(ofKind(signals, 'nested-end').map(({ text }) => text)).toEqual(['I am reviewer']);
  });

  test('[GCS2] every round of a group, of which the manager is asked for none', async () => {
    const members = ['A', 'B', 'C'].map((name) => speaker(name));
    const { groupchat, manager } = group(members, { maxRound: 9 });
    const { signals } = watched([...members, manager]);
    await members[0]?.initiateChat(manager, { message: 'hello' });
    expect(said(signals)).toHaveLength(9);
    expect(said(signals)).toEqual(transcript(groupchat.messages));
    expect(
      ofKind(signals, 'selection').map(({ agent, chosen, attempts }) => [agent, chosen, attempts]),
    ).toEqual(
      ['B', 'C', 'A', 'B', 'C', 'A', 'B', 'C'].map((chosen) => ['chat_manager', chosen, 0]),
    );
  });

  test('[GCS3] how a model chooses speakers, retries and their spend included', async () => {
    const members = ['A', 'B', 'C'].map((name) => speaker(name));
    const client = new ReplayChatCompletionClient(
      ['A and B', 'nobody', 'C'].map((content) => ({
        content,
        usage: { promptTokens: 10, completionTokens: 2 },
      })),
      { model: 'chooser' },
    );
    const { manager } = group(members, {
      speakerSelectionMethod: 'auto',
      selectSpeakerAutoLlmConfig: { client },
      maxRound: 2,
    });
    const { signals } = watched([...members, manager]);
    await members[0]?.initiateChat(manager, { message: 'hello' });
    expect(said(signals)).toEqual(['A: hello', 'C: I am C']);
    expect(ofKind(signals, 'model-request')).toHaveLength(3);
    expect(
      ofKind(signals, 'usage').map(({ agent, model, inputTokens, depth }) => [
        agent,
        model,
        inputTokens,
        depth ?? 0,
      ]),
    ).toEqual(Array.from({ length: 3 }, () => ['speaker_selection_agent', 'chooser', 10, 0]));
    expect(ofKind(signals, 'selection')).toMatchObject([
      { agent: 'chat_manager', chosen: 'C', attempts: 3 },
    ]);
  });

  test('[GCS4] summaries by a model, and calls a reply function makes by itself', async () => {
    const usage = { promptTokens: 7, completionTokens: 3 };
    const { agent: a, client } = thinker('A', [
      { content: 'All agreed.', usage },
      { content: 'Direct.', usage },
    ]);
    const b = speaker('B', ['bye']);
    const { signals } = watched([a, b]);
    const { summary } = await a.initiateChat(b, {
      message: 'hello',
      maxTurns: 1,
      summaryMethod: 'reflection_with_llm',
    });
    expect(summary).toBe('All agreed.');
    await a.client?.create(a, [{ role: 'user', content: 'psst' }], 'reply');
    expect(client.calls).toHaveLength(2);
    const requests = ofKind(signals, 'model-request').map(({ requestId }) => requestId);
    expect(new Set(requests).size).toBe(2);
    expect(ofKind(signals, 'usage').map(({ requestId }) => requestId)).toEqual(requests);
  });

  test('[GCS5] messages nobody is asked to answer: introductions and bare sends', async () => {
    const members = ['A', 'B', 'C'].map((name) => speaker(name));
    const { manager } = group(members, { maxRound: 1, sendIntroductions: true });
    const { signals } = watched([...members, manager]);
    const [a, b] = members;
    if (a && b) await a.send('by the way', b, { requestReply: false });
    await a?.initiateChat(manager, { message: 'hello' });
    expect(ofKind(signals, 'message').map(({ agent }) => agent)).toEqual([
      'A',
      'A',
      'chat_manager',
    ]);
  });

  test('[GCS5] a group chat that is put back says nothing anew', async () => {
    const members = ['A', 'B', 'C'].map((name) => speaker(name));
    const { manager } = group(members, { maxRound: 2 });
    const { signals } = watched([...members, manager]);
    const { lastAgent, lastMessage } = await manager.resume(
      ['A', 'B', 'A'].map((name, at) => ({ name, role: 'user', content: `old ${at}` })),
    );
    expect(said(signals)).toEqual([]);
    await lastAgent.initiateChat(manager, { message: lastMessage, clearHistory: false });
    expect(said(signals)).toEqual(['A: old 2', 'B: I am B']);
  });

  test('[GCS6] what members without a guard say to a guarded group', async () => {
    const members = ['A', 'B'].map((name) => speaker(name));
    const { groupchat, manager } = group(members, { maxRound: 4 });
    const { signals } = watched([manager]);
    await members[0]?.initiateChat(manager, { message: 'hello' });
    expect(said(signals)).toEqual(transcript(groupchat.messages));
  });

  test('[GCS6] what a member hears from an unguarded group, under the names of those who said it', async () => {
    const members = ['A', 'B', 'C'].map((name) => speaker(name));
    const { groupchat, manager } = group(members, { maxRound: 5 });
    const { signals } = watched([...members.slice(0, 1)]);
    await members[0]?.initiateChat(manager, { message: 'hello' });
    expect(said(signals)).toEqual(transcript(groupchat.messages));
  });

  test('[GCS7] turns that a function registered later settles first', async () => {
    const [a, b] = [speaker('A'), speaker('B')];
    const breaker = bareBreaker({ maxMessages: 3 });
    const signals = record(breaker);
    guardAgents([a, b], breaker);
    b.registerReply([() => true, null], () => [true, 'mine'], { position: 0 });
    const { chatHistory } = await a.initiateChat(b, { message: 'hello' });
    expect(said(signals)).toEqual(['A: hello', 'B: mine', 'A: I am A']);
    expect(chatHistory).toHaveLength(3);
    expect(b.replyFuncList[0]?.replyFunc.name).toBe('guardTurn');
  });

  test('[GCS7] turns of an agent whose chain was emptied', async () => {
    const [a, b] = [speaker('A'), speaker('B')];
    const breaker = bareBreaker({ maxMessages: 4 });
    guardAgents([a, b], breaker);
    b.registerReply([() => true, null], () => [true, 'alone'], { removeOtherReplyFuncs: true });
    const { chatHistory } = await a.initiateChat(b, { message: 'hello' });
    expect(chatHistory).toHaveLength(4);
    expect(b.replyFuncList.map(({ replyFunc }) => replyFunc.name)[0]).toBe('guardTurn');
  });

  test('[GCS8] turns that are asked for with the guard excluded', async () => {
    const breaker = bareBreaker({ maxMessages: 1 });
    const [a, b] = [speaker('A'), speaker('B')];
    guardAgents([a, b], breaker);
    await a.send('hello', b, { requestReply: false });
    const exclude = b.replyFuncList.slice(0, 1).map(({ replyFunc }) => replyFunc);
    expect(await b.generateReply({ sender: a, exclude })).toBeNull();
  });

  test('[GCS9] what the agent itself replied, before its peer is asked', async () => {
    const [a, b] = [speaker('A'), speaker('B', ['first'])];
    const { signals } = watched([b]);
    await a.initiateChat(b, { message: 'hello', maxTurns: 1 });
    expect(said(signals)).toEqual(['A: hello', 'B: first']);
  });

  test('[GCS10] which tools ran, with what, and what came of them', async () => {
    const call = (id: string, name: string, args: string) => ({ id, name, arguments: args });
    const usage = { promptTokens: 20, completionTokens: 5, cachedPromptTokens: 8 };
    const { agent: asker } = thinker('asker', [
      { content: [call('1', 'add', '{"a": 1, "b": 2}'), call('2', 'fail', '{}')], usage },
      { content: 'TERMINATE', usage },
    ]);
    const runner = speaker('runner', '', {
      functionMap: {
        add: ({ a, b }) => ({ sum: Number(a) + Number(b) }),
        fail: () => {
          throw new Error('out of order');
        },
      },
    });
    const { signals } = watched([asker, runner]);
    await runner.initiateChat(asker, { message: 'Add!' });
    expect(ofKind(signals, 'tool-call')).toMatchObject([
      { agent: 'asker', tool: 'add', args: { a: 1, b: 2 }, result: { sum: 3 }, callId: '1' },
      {
        agent: 'asker',
        tool: 'fail',
        args: {},
        error: { message: 'Error: out of order' },
        callId: '2',
      },
    ]);
    expect(ofKind(signals, 'usage')).toMatchObject([
      { agent: 'asker', inputTokens: 20, outputTokens: 5, costUsd: null },
      { agent: 'asker', inputTokens: 20, outputTokens: 5, costUsd: null },
    ]);
    // Neither the message that asks for the calls nor the one with their results says anything more.
    expect(said(signals)).toEqual(['asker: TERMINATE']);
  });

  test('[GCS11] the true author of a function result, which goes by the name of the function', async () => {
    const asker = new ConversableAgent({ name: 'asker', io: silence, humanInputMode: 'NEVER' });
    asker.registerReply([() => true, null], () => [
      true,
      { content: null, function_call: { name: 'now', arguments: '{}' } },
    ]);
    const runner = speaker('runner', '', { functionMap: { now: () => 'noon' } });
    const { manager } = group([asker, runner], { maxRound: 3 });
    const { signals } = watched([asker, runner, manager]);
    await runner.initiateChat(manager, { message: 'When?' });
    expect(said(signals)).toEqual(['runner: When?']);
    expect(ofKind(signals, 'tool-call')).toMatchObject([
      { agent: 'asker', tool: 'now', result: 'noon' },
    ]);
  });

  test('[GCS12] messages with several parts; a picture is named', async () => {
    const [a, b] = [speaker('A'), speaker('B', ['nice'])];
    const { signals } = watched([a, b]);
    const image = { type: 'image_url', image_url: { url: 'https://example.org/cat.png' } } as const;
    await a.initiateChat(b, {
      message: { content: [{ type: 'text', text: 'Look: ' }, image] },
      maxTurns: 1,
    });
    expect(said(signals)).toEqual(['A: Look: <image>', 'B: nice']);
  });

  test('[GCS13] exchanges that begin with a bare send are guarded, too', async () => {
    const breaker = bareBreaker({ maxMessages: 1 });
    const [a, b] = [speaker('A'), speaker('B')];
    guardAgents([a, b], breaker);
    await a.send('hello', b, { requestReply: true });
    expect(b.chatMessages.get(a)).toHaveLength(1);
    expect(breaker.conversation().trip?.kind).toBe('limit');
  });

  test('[GCS14] one message that many hear is one signal', async () => {
    const members = Array.from({ length: 8 }, (_, at) => speaker(`M${at}`));
    const { manager } = group(members, { maxRound: 4 });
    const { signals } = watched([...members, manager]);
    await members[0]?.initiateChat(manager, { message: 'hello' });
    expect(ofKind(signals, 'message')).toHaveLength(4);
  });

  test('[GCS15] a speaker who speaks twice in a row is heard twice', async () => {
    const [a, b] = [speaker('A'), speaker('B', ['one', 'two', 'three'])];
    const { manager } = group([a, b], { maxRound: 4, speakerSelectionMethod: () => b });
    const { signals } = watched([a, b, manager]);
    await a.initiateChat(manager, { message: 'hello' });
    expect(said(signals)).toEqual(['A: hello', 'B: one', 'B: two', 'B: three']);
  });

  test('[GCS10] a tool reply function that is called by hand is no trap', async () => {
    const runner = speaker('runner', '', { functionMap: { add: () => 3 } });
    const { signals } = watched([runner]);
    const message = { content: null, tool_calls: [{ id: '1', function: { name: 'add' } }] };
    await generateToolCallsReply(runner, [message], null, null);
    expect(ofKind(signals, 'tool-call')).toMatchObject([{ tool: 'add', args: {}, result: 3 }]);
  });
});
