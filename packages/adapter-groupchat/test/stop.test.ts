import type { CodeExecutor } from '@teamfuse/code-executors';
import { TrippedError } from '@teamfuse/core';
import { initiateChats } from '@teamfuse/groupchat';
import { ReplayChatCompletionClient } from '@teamfuse/models';
import { MemoryHistoryStore } from '@teamfuse/stores/history';
import { describe, expect, test } from 'vitest';
import { guardAgents } from '../src/index.ts';
import { group, speaker, thinker } from './support/agents.ts';
import { bareBreaker } from './support/bare-breaker.ts';
import { paused } from './support/gate.ts';
import { ofKind, record, said } from './support/signals.ts';

describe('a trip that terminates', () => {
  test('[GCT1] two agents fall silent, and the result says why', async () => {
    const breaker = bareBreaker({ maxMessages: 5 });
    const [a, b] = [speaker('A'), speaker('B')];
    const guard = guardAgents([a, b], breaker);
    const { chatHistory, stopKind, stopReason } = await a.initiateChat(b, { message: 'hello' });
    expect(chatHistory.map(({ name, content }) => `${name}: ${content}`)).toEqual([
      'A: hello',
      'B: I am B',
      'A: I am A',
      'B: I am B',
      'A: I am A',
    ]);
    expect(stopReason).toBe('the limit of 5 messages is reached (maxMessages)');
    expect(stopKind).toBe('refused');
    expect(guard.trip?.reason).toBe(stopReason);
  });

  test('[GCT2] maxTurns over a group starts no further run', async () => {
    const breaker = bareBreaker({ maxMessages: 5 });
    const members = ['A', 'B', 'C'].map((name) => speaker(name));
    const { groupchat, manager } = group(members);
    guardAgents([...members, manager], breaker);
    const [a = speaker('A')] = members;
    const { stopReason } = await a.initiateChat(manager, { message: 'hello', maxTurns: 50 });
    expect(groupchat.messages).toHaveLength(5);
    expect(stopReason).toBe(breaker.conversation().trip?.reason);
  });

  test('[GCT2] a recipient that is stopped under maxTurns gets no further turns', async () => {
    const breaker = bareBreaker({ maxMessages: 3 });
    const [a, b] = [speaker('A'), speaker('B')];
    guardAgents([a, b], breaker);
    const { chatHistory } = await a.initiateChat(b, { message: 'hello', maxTurns: 50 });
    expect(chatHistory).toHaveLength(3);
  });

  test('[GCT2] whoever began a chat under maxTurns does not go on alone, guarded or not', async () => {
    const breaker = bareBreaker({ maxMessages: 3 });
    const { agent: user, client } = thinker('user', Array(20).fill('Go on.'));
    const writer = speaker('writer');
    guardAgents([writer], breaker);
    const { stopKind } = await user.initiateChat(writer, { message: 'hello', maxTurns: 20 });
    expect(stopKind).toBe('refused');
    expect(client.calls.length).toBeLessThan(3);
  });

  test('[GCT2] a nested tree ends as a whole, the innermost chat first', async () => {
    const [user, writer] = [speaker('user'), speaker('writer')];
    const [editor, checker] = [speaker('editor'), speaker('checker')];
    writer.registerNestedChats([{ recipient: editor, message: 'Edit!', maxTurns: 9 }], [user]);
    editor.registerNestedChats([{ recipient: checker, message: 'Check!', maxTurns: 9 }], [writer]);
    const breaker = bareBreaker({ maxMessages: 6 });
    const signals = record(breaker);
    guardAgents([user, writer, editor, checker], breaker);
    const { stopReason } = await user.initiateChat(writer, { message: 'Write!', maxTurns: 9 });
    expect(stopReason).toBe(breaker.conversation().trip?.reason);
    // What was summed up on the way out is passed on; nobody is asked for anything more.
    expect(said(signals)).toEqual([
      'user: Write!',
      'writer: Edit!',
      'editor: Check!',
      'checker: I am checker',
      'editor: I am editor',
      'checker: I am checker',
    ]);
    const summaries = ofKind(signals, 'nested-end').map(({ agent, text }) => `${agent}: ${text}`);
    expect(summaries).toEqual(['checker: I am checker', 'editor: I am checker']);
    const depths = signals.filter(({ kind }) => kind.startsWith('nested'));
    expect(depths.map(({ kind, depth }) => `${kind} ${depth}`)).toEqual([
      'nested-start 1',
      'nested-start 2',
      'nested-end 2',
      'nested-end 1',
    ]);
  });

  test('[GCS19] limits that have ended one chat of a sequence start afresh with the next', async () => {
    const breaker = bareBreaker({ maxMessages: 3 });
    const [a, b, c] = [speaker('A'), speaker('B'), speaker('C')];
    guardAgents([a, b, c], breaker);
    const results = await a.initiateChats([
      { recipient: b, message: 'one', silent: true },
      { recipient: c, message: 'two', silent: true },
    ]);
    expect(results.map(({ chatHistory }) => chatHistory.length)).toEqual([3, 3]);
  });

  test('[GCT2] the rest of a sequence of chats gets no answers', async () => {
    const breaker = bareBreaker();
    const [a, b, c] = [speaker('A'), speaker('B'), speaker('C')];
    guardAgents([a, b, c], breaker);
    breaker.on('signal', ({ index }) => index === 2 && breaker.stop('enough'));
    const results = await a.initiateChats([
      { recipient: b, message: 'one', silent: true },
      { recipient: c, message: 'two', silent: true },
    ]);
    expect(results.map(({ chatHistory }) => chatHistory.length)).toEqual([3, 1]);
    expect(results.map(({ stopReason }) => stopReason)).toEqual([
      breaker.conversation().trip?.reason,
      breaker.conversation().trip?.reason,
    ]);
  });

  test('[GCT3] no model, tool, program, nested chat or person is asked any more', async () => {
    const ran: string[] = [];
    const client = new ReplayChatCompletionClient(['A', 'B', 'C', 'D']);
    const executor: CodeExecutor = {
      executeCodeBlocks: async () => {
        ran.push('code');
        return { exitCode: 0, output: '' };
      },
    };
    const io = { print() {}, warn() {}, input: async () => `${ran.push('person')}` };
    const busy = speaker('busy', '', {
      llmConfig: { client },
      codeExecutionConfig: { executor },
      functionMap: { act: () => ran.push('tool') },
      humanInputMode: 'ALWAYS',
      io,
    });
    const inner = speaker('inner');
    busy.registerNestedChats([{ recipient: inner, message: 'nested' }], () => true, {
      position: 0,
    });
    const talker = speaker('talker', '', { llmConfig: { client } });
    const breaker = bareBreaker({ maxMessages: 1 });
    const signals = record(breaker);
    guardAgents([busy, inner, talker], breaker);
    await talker.initiateChat(busy, {
      message: {
        content: '```sh\necho hi\n```',
        tool_calls: [{ id: '1', function: { name: 'act' } }],
      },
      summaryMethod: 'reflection_with_llm',
      maxTurns: 3,
    });
    expect(ran).toEqual([]);
    expect(client.calls).toEqual([]);
    expect(signals.map(({ kind }) => kind)).toEqual(['message']);
  });

  test('[GCT3] no model chooses a speaker any more', async () => {
    const members = ['A', 'B', 'C'].map((name) => speaker(name));
    const client = new ReplayChatCompletionClient(['B', 'C', 'A']);
    const { groupchat, manager } = group(members, {
      speakerSelectionMethod: 'auto',
      selectSpeakerAutoLlmConfig: { client },
    });
    guardAgents([...members, manager], bareBreaker({ maxMessages: 2 }));
    await members[0]?.initiateChat(manager, { message: 'hello' });
    expect(groupchat.messages).toHaveLength(2);
    expect(client.calls).toHaveLength(1);
  });

  test('[GCT3] neither a person nor a function chooses a speaker any more', async () => {
    const asked: string[] = [];
    const members = ['A', 'B', 'C'].map((name) => speaker(name));
    const [a = speaker('A')] = members;
    const choose = () => {
      asked.push('function');
      return a;
    };
    for (const speakerSelectionMethod of ['manual', choose]) {
      const { groupchat, manager } = group(members, { speakerSelectionMethod });
      const io = { print() {}, warn() {}, input: async () => `${asked.push('person')}` };
      Object.assign(manager, { io });
      const guard = guardAgents([...members, manager], bareBreaker({ maxMessages: 2 }));
      const { stopReason } = await a.initiateChat(manager, { message: 'hello' });
      expect(stopReason).toMatch(/limit of 2 messages is reached/);
      expect(groupchat.messages).toHaveLength(2);
      guard.uninstall();
    }
    expect(asked).toEqual(['person', 'function']);
  });

  test('[GCT3] calls that stand in one message are not finished', async () => {
    const ran: string[] = [];
    const call = (id: string) => ({ id, name: 'act', arguments: '{}' });
    const { agent: asker } = thinker('asker', [{ content: [call('1'), call('2'), call('3')] }]);
    const breaker = bareBreaker();
    const functionMap = {
      act: () => {
        ran.push('act');
        if (ran.length === 2) breaker.stop();
      },
    };
    const runner = speaker('runner', '', { functionMap });
    guardAgents([asker, runner], breaker);
    await runner.initiateChat(asker, { message: 'Act!' });
    expect(ran).toHaveLength(2);
  });

  test('[GCT4] histories stay as they were', async () => {
    const breaker = bareBreaker({ maxMessages: 4 });
    const members = ['A', 'B', 'C'].map((name) => speaker(name));
    const { groupchat, manager } = group(members);
    guardAgents([...members, manager], breaker);
    await members[0]?.initiateChat(manager, { message: 'hello' });
    for (const member of members) {
      expect(member.chatMessages.get(manager)?.map(({ content }) => content)).toEqual(
        groupchat.messages.map(({ content }) => content),
      );
    }
  });

  test('[GCT5] a run that has ended stays ended, even if the circuit is closed in the middle of it', async () => {
    const breaker = bareBreaker({ maxMessages: 3 });
    const [a, b] = [speaker('A'), speaker('B')];
    breaker.on('trip', () => breaker.reset());
    guardAgents([a, b], breaker);
    const { chatHistory, stopReason } = await a.initiateChat(b, { message: 'hello', maxTurns: 9 });
    expect(chatHistory).toHaveLength(3);
    expect(stopReason).toMatch(/limit of 3 messages is reached/);
    expect((await a.initiateChat(b, { message: 'again', maxTurns: 1 })).chatHistory).toHaveLength(
      2,
    );
  });

  test('[GCT5] so do the steps of the turn in which it was ended', async () => {
    let ran = 0;
    const call = (id: string) => ({ id, name: 'act', arguments: '{}' });
    const { agent: asker } = thinker('asker', [{ content: [call('1'), call('2'), call('3')] }]);
    const breaker = bareBreaker();
    const act = () => {
      ran += 1;
      breaker.stop();
      breaker.reset();
    };
    const runner = speaker('runner', '', { functionMap: { act } });
    guardAgents([asker, runner], breaker);
    await runner.initiateChat(asker, { message: 'Act!' });
    expect([ran, breaker.conversation().state.status]).toEqual([1, 'closed']);
  });

  test('[GCT6] a stop by hand ends the run', async () => {
    const breaker = bareBreaker();
    const [a, b] = [speaker('A'), speaker('B')];
    guardAgents([a, b], breaker);
    breaker.on('signal', ({ index }) => index === 3 && breaker.stop('enough'));
    const { chatHistory, stopReason } = await a.initiateChat(b, { message: 'hello' });
    expect(chatHistory).toHaveLength(4);
    expect(stopReason).toBe('enough');
  });

  test('[GCT7] after a reset the chat goes on, also with a history cut short', async () => {
    const breaker = bareBreaker({ maxMessages: 4 });
    const [a, b] = [speaker('A'), speaker('B')];
    const guard = guardAgents([a, b], breaker);
    await a.initiateChat(b, { message: 'hello' });
    breaker.reset();
    expect(guard.trip).toBeUndefined();
    for (const agent of [a, b]) agent.clearHistory(null, 2);
    const { chatHistory, stopKind } = await a.initiateChat(b, {
      message: 'go on',
      clearHistory: false,
      maxTurns: 1,
    });
    expect(chatHistory.map(({ content }) => content)).toEqual([
      'I am A',
      'I am B',
      'go on',
      'I am B',
    ]);
    expect(stopKind).toBe('max_turns');
  });
});

describe('a trip that is thrown', () => {
  test('[GCT8] reaches whoever began the chat', async () => {
    const members = ['A', 'B', 'C'].map((name) => speaker(name));
    const { groupchat, manager } = group(members);
    const breaker = bareBreaker({ maxMessages: 4 });
    guardAgents([...members, manager], breaker, { onTrip: 'throw' });
    const [a = speaker('A')] = members;
    const error = await a.initiateChat(manager, { message: 'hello' }).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(TrippedError);
    expect((error as TrippedError).trip).toBe(breaker.conversation().trip);
    expect(groupchat.messages).toHaveLength(4);
  });

  test('[GCT8] reaches them through nested chats and a sequence', async () => {
    const [user, writer, critic] = [speaker('user'), speaker('writer'), speaker('critic')];
    writer.registerNestedChats([{ recipient: critic, message: 'Well?', maxTurns: 5 }], [user]);
    guardAgents([user, writer, critic], bareBreaker({ maxMessages: 4 }), { onTrip: 'throw' });
    const queue = [{ sender: user, recipient: writer, message: 'Write!', silent: true }];
    await expect(initiateChats(queue)).rejects.toThrow(/limit of 4 messages is reached/);
  });
});

describe('a trip that is replied', () => {
  const told = '[CIRCUIT OPEN] the limit of 3 messages is reached (maxMessages)';

  test('[GCT9] is said once by the next speaker, and the run ends', async () => {
    const breaker = bareBreaker({ maxMessages: 3 });
    const signals = record(breaker);
    const [a, b] = [speaker('A'), speaker('B')];
    guardAgents([a, b], breaker, { onTrip: 'reply' });
    const { chatHistory } = await a.initiateChat(b, { message: 'hello', maxTurns: 9 });
    expect(chatHistory.map(({ content }) => content)).toEqual(['hello', 'I am B', 'I am A', told]);
    expect(said(signals)).toHaveLength(3);
  });

  test('[GCT9] is said once in a group, with maxTurns over it', async () => {
    const breaker = bareBreaker({ maxMessages: 3 });
    const members = ['A', 'B', 'C'].map((name) => speaker(name));
    const { groupchat, manager } = group(members);
    guardAgents([...members, manager], breaker, { onTrip: 'reply' });
    await members[0]?.initiateChat(manager, { message: 'hello', maxTurns: 9 });
    expect(groupchat.messages.map(({ content }) => content)).toEqual([
      'hello',
      'I am B',
      'I am C',
      told,
    ]);
  });

  test('[GCT9] of a nested chat is said in the outermost one', async () => {
    const [user, writer, critic] = [speaker('user'), speaker('writer'), speaker('critic')];
    writer.registerNestedChats([{ recipient: critic, message: 'Well?', maxTurns: 5 }], [user]);
    guardAgents([user, writer, critic], bareBreaker({ maxMessages: 3 }), { onTrip: 'reply' });
    const { chatHistory } = await user.initiateChat(writer, { message: 'Write!' });
    expect(chatHistory.map(({ content }) => content)).toEqual(['Write!', 'I am critic', told]);
  });

  test('[GCT9] is said when a chat begins while the circuit is open', async () => {
    const breaker = bareBreaker();
    const [a, b] = [speaker('A'), speaker('B')];
    guardAgents([a, b], breaker, { onTrip: 'reply' });
    breaker.stop('closed for today');
    const { chatHistory } = await a.initiateChat(b, { message: 'hello' });
    expect(chatHistory.map(({ content }) => content)).toEqual([
      'hello',
      '[CIRCUIT OPEN] closed for today',
    ]);
  });
});

describe('the history of runs', () => {
  test.each([
    ['was cancelled', 'cancelled'],
    ['ran out of its time', 'timeout'],
  ] as const)('[GCT10] takes a chat that %s for stopped, not completed', async (_, stopKind) => {
    const store = new MemoryHistoryStore();
    const { agent: bot, client } = thinker('bot', ['late']);
    const { isAsked } = paused(client);
    const user = speaker('user');
    guardAgents([user, bot], bareBreaker(), { history: { store, task: 'report' } });
    const caller = new AbortController();
    const limits = stopKind === 'timeout' ? { timeoutMs: 20 } : { signal: caller.signal };
    const chat = user.initiateChat(bot, { message: 'hello', ...limits });
    await isAsked;
    if (stopKind === 'cancelled') caller.abort();
    expect((await chat).stopKind).toBe(stopKind);
    expect(store.latest('report', 9)).toMatchObject([{ outcome: 'stopped' }]);
  });
});
