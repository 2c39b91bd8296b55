import { ReplayChatCompletionClient } from '@teamfuse/models';
import { describe, expect, test } from 'vitest';
import {
  Agent,
  type ChatEvent,
  type ConversableAgent,
  contentText,
  GroupChat,
  GroupChatManager,
  type RefusableStep,
  type Tap,
  UserProxyAgent,
} from '../../src/index.ts';
import { script, speaker, TestIO } from '../cast.ts';

/** A tap that records events and refuses the kinds in `refused`. */
class Listener implements Tap {
  readonly events: ChatEvent[] = [];
  readonly asked: RefusableStep[] = [];
  refused: string[] = [];

  on(...agents: readonly ConversableAgent[]): this {
    for (const agent of agents) agent.taps.add(this);
    return this;
  }

  observe(event: ChatEvent): void {
    this.events.push(event);
  }

  async admit(step: RefusableStep) {
    this.asked.push(step);
    return this.refused.includes(step.kind) ? { reason: `no ${step.kind}` } : undefined;
  }

  of<K extends ChatEvent['kind']>(kind: K): (ChatEvent & { kind: K })[] {
    return this.events.filter((event): event is ChatEvent & { kind: K } => event.kind === kind);
  }

  /** Each utterance once, under its author. */
  utterances(): string[] {
    const seen = new Set<number>();
    return this.of('message').flatMap(({ agent, message, delivery, hiddenFor }) => {
      if (hiddenFor || seen.has(delivery)) return [];
      seen.add(delivery);
      return [`${agent.name}: ${contentText(message.content)}`];
    });
  }
}

function group(answers: string[] = ['C']) {
  const [a, b, c] = [speaker('A'), speaker('B'), script('C', 'done')] as const;
  const client = new ReplayChatCompletionClient(answers, { model: 'chooser' });
  const groupchat = new GroupChat({ agents: [a, b, c], maxRound: 2 });
  const manager = new GroupChatManager({ groupchat, io: new TestIO(), llmConfig: { client } });
  return { a, b, c, manager, client, listener: new Listener().on(a, b, c, manager) };
}

describe('observe', () => {
  test('[TAP1] every utterance once, under its author', async () => {
    const { a, manager, listener } = group();
    await a.initiateChat(manager, { message: 'hello' });
    expect(listener.utterances()).toEqual(['A: hello', 'C: done']);
    expect(listener.of('message').filter(({ hiddenFor }) => !hiddenFor)).toHaveLength(12);
  });

  test('[TAP1] every group message once, with its true author and the delivery of its copies', async () => {
    const { a, c, manager, listener } = group();
    await a.initiateChat(manager, { message: 'hello' });
    const entered = listener.of('group-message');
    expect(entered.map(({ speaker, round }) => [speaker, round])).toEqual([
      [a, 1],
      [c, 2],
    ]);
    const copies = listener
      .of('message')
      .filter(({ delivery }) => delivery === entered[1]?.delivery);
    expect(copies[0]).toMatchObject({ agent: c, direction: 'sent' });
    expect(copies).toHaveLength(6);
  });

  test('[TAP2] the choice of a speaker, with the model calls of hidden agents', async () => {
    const { a, c, manager, listener } = group(['nobody', 'C']);
    await a.initiateChat(manager, { message: 'hello' });
    expect(listener.of('selection')).toMatchObject([{ lastSpeaker: a, speaker: c, error: null }]);
    const calls = listener.of('model-response');
    expect(calls.map(({ hiddenFor }) => hiddenFor)).toEqual([manager, manager]);
    expect(calls[0]).toMatchObject({ model: 'chooser', cached: true, reply: 'nobody' });
  });

  test('[TAP5] a chat with its end and reason', async () => {
    const a = speaker('A');
    const listener = new Listener().on(a);
    await a.initiateChat(speaker('B'), { message: 'x', maxTurns: 1 });
    await a.initiateChat(speaker('B', { defaultAutoReply: null }), { message: 'x' });
    expect(listener.of('chat-start')).toHaveLength(2);
    expect(listener.of('chat-end').map(({ reason, summary }) => [reason, summary])).toEqual([
      ['max_turns', 'I am B'],
      ['no_reply', 'x'],
    ]);
  });

  test('[TAP5] the ends of chats that an error ends, from the inside out', async () => {
    const owner = speaker('owner');
    const inner = speaker('inner');
    const error = new Error('inside');
    inner.registerReply([Agent, null], () => {
      throw error;
    });
    owner.registerNestedChats([{ recipient: inner, message: 'y' }], 'user');
    const user = speaker('user');
    const listener = new Listener().on(user, owner, inner);
    await expect(user.initiateChat(owner, { message: 'x' })).rejects.toBe(error);
    const kinds = listener.events
      .map(({ kind }) => kind)
      .filter((kind) => /^(chat|nested)-/.test(kind));
    expect(kinds).toEqual([
      'chat-start',
      'nested-start',
      'chat-start',
      'chat-end',
      'nested-end',
      'chat-end',
    ]);
    expect(listener.of('nested-end')[0]?.error).toBe(error);
  });

  test('[TAP5] the end of a turn, with its reply', async () => {
    const agent = speaker('A');
    const listener = new Listener().on(agent);
    const messages = [{ content: 'x' }];
    await agent.generateReply({ messages });
    agent.registerReply([Agent, null], () => {
      throw new RangeError('broken');
    });
    await expect(agent.generateReply({ messages })).rejects.toThrow(RangeError);
    expect(listener.of('turn-end')).toMatchObject([
      { agent, sender: null, reply: 'I am A', error: null },
      { reply: null, error: expect.any(RangeError) },
    ]);
  });

  test('[TAP5] nested chats with their trigger and how often it came', async () => {
    const owner = speaker('owner');
    owner.registerNestedChats(
      [{ recipient: script('inner', 'z'), message: 'y', maxTurns: 1 }],
      [Agent],
    );
    const user = speaker('user', { maxConsecutiveAutoReply: 1 });
    const listener = new Listener().on(owner);
    await user.initiateChat(owner, { message: 'x' });
    const starts = listener.of('nested-start');
    expect(starts.map(({ time, trigger }) => [time, trigger?.content])).toEqual([
      [1, 'x'],
      [2, 'I am user'],
    ]);
    expect(starts[0]?.nesting).toBe(starts[1]?.nesting);
    expect(starts[0]?.queue[0]?.recipient.name).toBe('inner');
    expect(listener.of('nested-end').map(({ reply }) => reply)).toEqual(['z', 'z']);
  });

  test('[TAP1] tools, code, people and the functions that replied', async () => {
    const agent = new UserProxyAgent({
      name: 'user',
      io: new TestIO('', '', 'thanks'),
      functionMap: { f: () => 'result' },
      codeExecutionConfig: {
        executor: { executeCodeBlocks: async () => ({ exitCode: 3, output: 'bad' }) },
      },
    });
    const listener = new Listener().on(agent);
    const asked = [{ id: '1', type: 'function', function: { name: 'f', arguments: '{}' } }];
    await agent.generateReply({ messages: [{ content: null, tool_calls: asked }] });
    await agent.generateReply({ messages: [{ role: 'user', content: '```sh\nls\n```' }] });
    await agent.generateReply({ messages: [{ role: 'user', content: 'x' }] });
    expect(listener.of('tool-call')).toMatchObject([
      { name: 'f', callId: '1', arguments: '{}', content: 'result', succeeded: true },
    ]);
    expect(listener.of('code-execution')).toMatchObject([
      { blocks: [{ language: 'sh', code: 'ls' }], exitCode: 3, output: 'bad', error: null },
    ]);
    expect(listener.of('human-input').map(({ input }) => input)).toEqual(['', '', 'thanks']);
    expect(listener.of('reply').filter(({ final }) => final)).toHaveLength(3);
  });

  test('[TAP1] the summary a model makes', async () => {
    const client = new ReplayChatCompletionClient(['short', new Error('down')]);
    const a = speaker('A', { llmConfig: { client } });
    const listener = new Listener().on(a);
    const options = { message: 'x', maxTurns: 1, summaryMethod: 'reflection_with_llm' } as const;
    await a.initiateChat(speaker('B'), options);
    await expect(a.initiateChat(speaker('B'), options)).rejects.toThrow('down');
    expect(listener.of('model-request').map(({ purpose }) => purpose)).toEqual([
      'summary',
      'summary',
    ]);
    expect(listener.of('model-response')[1]).toMatchObject({
      usage: null,
      error: expect.any(Error),
    });
  });

  test('[CHAT5] an error of a tap ends the chat', async () => {
    const a = speaker('A');
    a.taps.add({
      observe: () => {
        throw new RangeError('tap');
      },
    });
    await expect(a.initiateChat(speaker('B'), { message: 'x' })).rejects.toThrow(RangeError);
  });
});

describe('admit', () => {
  test('[TAP3] a refused turn ends a chat, and the result says why', async () => {
    const a = speaker('A');
    const b = speaker('B');
    const listener = new Listener().on(a, b);
    listener.refused = ['turn'];
    const { chatHistory, stopReason } = await a.initiateChat(b, { message: 'x', maxTurns: 5 });
    expect(chatHistory).toHaveLength(1);
    expect(stopReason).toBe('no turn');
    listener.refused = [];
    expect((await a.initiateChat(b, { message: 'x', maxTurns: 1 })).stopKind).toBe('max_turns');
  });

  test('[TAP3] a refused turn of a member ends the run', async () => {
    const { a, c, manager } = group();
    c.taps.add({ admit: ({ kind }) => (kind === 'turn' ? { reason: 'enough' } : undefined) });
    const { stopReason } = await a.initiateChat(manager, { message: 'hello' });
    expect(stopReason).toBe('enough');
    expect(manager.groupchat.messages).toHaveLength(1);
  });

  test('[TAP3] a refused choice of a speaker ends the run without a model call', async () => {
    const { a, manager, client, listener } = group();
    listener.refused = ['selection'];
    const { stopReason } = await a.initiateChat(manager, { message: 'hello' });
    expect(stopReason).toBe('no selection');
    expect(manager.groupchat.messages).toHaveLength(1);
    expect(client.calls).toEqual([]);
  });

  test('[TAP3] a refused model is not asked, by hidden agents neither', async () => {
    const { a, manager, client, listener } = group();
    listener.refused = ['model-request'];
    await a.initiateChat(manager, { message: 'hello' });
    expect(client.calls).toEqual([]);
    expect(
      listener.asked.some(({ kind, hiddenFor }) => kind === 'model-request' && hiddenFor),
    ).toBe(true);
  });

  test('[TAP3] a refused summary is empty', async () => {
    const client = new ReplayChatCompletionClient(['short']);
    const a = speaker('A', { llmConfig: { client } });
    new Listener().on(a).refused = ['model-request'];
    const { summary } = await a.initiateChat(speaker('B'), {
      message: 'x',
      maxTurns: 1,
      summaryMethod: 'reflection_with_llm',
    });
    expect([summary, client.calls.length]).toEqual(['', 0]);
  });

  test.each([
    ['tool-call', { content: null, tool_calls: [{ id: '1', function: { name: 'f' } }] }],
    ['tool-call', { content: null, function_call: { name: 'f' } }],
    ['code-execution', { role: 'user', content: '```sh\nls\n```' }],
  ])('[TAP3] a refused %s does not happen', async (kind, message) => {
    let happened = 0;
    const agent = speaker('A', {
      functionMap: { f: () => (happened += 1) },
      codeExecutionConfig: {
        runCode: () => {
          happened += 1;
          return { exitCode: 0, output: '' };
        },
      },
    });
    new Listener().on(agent).refused = [kind];
    expect(await agent.generateReply({ messages: [message] })).toBeNull();
    expect(happened).toBe(0);
  });

  test('[TAP3] a refused nested chat does not begin', async () => {
    const owner = speaker('owner');
    const inner = speaker('inner');
    owner.registerNestedChats([{ recipient: inner, message: 'y' }], [Agent]);
    const listener = new Listener().on(owner);
    listener.refused = ['nested-chat'];
    expect(
      await owner.generateReply({ messages: [{ content: 'x' }], sender: speaker('u') }),
    ).toBeNull();
    expect(inner.chatMessages.size).toBe(0);
    expect(listener.of('nested-start')).toEqual([]);
  });

  test('[TAP4] a removed tap is not called again', async () => {
    const a = speaker('A');
    const before = [...a.replyFuncList];
    const listener = new Listener();
    const off = a.taps.add(listener);
    off();
    await a.initiateChat(speaker('B'), { message: 'x', maxTurns: 1 });
    expect([listener.events, listener.asked]).toEqual([[], []]);
    expect(a.replyFuncList).toEqual(before);
  });
});

describe('around', () => {
  /** A tap that notes what it is around, and passes a signal on. */
  function frame(name: string, log: string[], signal?: AbortSignal): Tap {
    return {
      async around(step, work) {
        log.push(`${name}> ${step.kind}`);
        const done = await work(signal);
        log.push(`${name}< ${step.kind}`);
        return done;
      },
    };
  }

  test('[TAP6] is called around each step, after its admission, by all taps in order', async () => {
    const log: string[] = [];
    const a = speaker('A', {
      functionMap: { f: () => `${log.push('f')}` },
    });
    a.taps.add({ admit: ({ kind }) => void log.push(`admit ${kind}`) });
    for (const name of ['1', '2']) a.taps.add(frame(name, log));
    const call = { id: '1', type: 'function', function: { name: 'f', arguments: '{}' } };
    await a.generateReply({ messages: [{ content: null, tool_calls: [call] }] });
    expect(log).toEqual([
      'admit turn',
      '1> turn',
      '2> turn',
      'admit tool-call',
      '1> tool-call',
      '2> tool-call',
      'f',
      '2< tool-call',
      '1< tool-call',
      '2< turn',
      '1< turn',
    ]);
  });

  test('[TAP6] is called around chats, model calls, code, nested chats and people, too', async () => {
    const log: string[] = [];
    const { a, manager } = group();
    const owner = speaker('owner', {
      codeExecutionConfig: { runCode: () => ({ exitCode: 0, output: '' }) },
    });
    owner.registerNestedChats([{ recipient: speaker('inner'), message: 'y', maxTurns: 1 }], [a]);
    const person = new UserProxyAgent({ name: 'person', io: new TestIO('hello') });
    for (const agent of [a, manager, owner, person]) agent.taps.add(frame('', log));
    await a.initiateChat(manager, { message: 'hello' });
    await a.initiateChat(owner, { message: 'x', maxTurns: 1 });
    await owner.generateReply({ messages: [{ role: 'user', content: '```sh\nls\n```' }] });
    await person.getHumanInput('?');
    const kinds = log.filter((line) => line.startsWith('>')).map((line) => line.slice(2));
    expect(new Set(kinds)).toEqual(
      new Set(['chat', 'turn', 'model-request', 'nested-chat', 'code-execution', 'human-input']),
    );
  });

  test('[TAP6] gets the object that was admitted', async () => {
    const seen: unknown[] = [];
    const a = speaker('A');
    a.taps.add({
      admit: (step) => void seen.push(step),
      around: (step, work) => {
        seen.push(step);
        return work();
      },
    });
    await a.generateReply({ messages: [{ content: 'x' }] });
    expect(seen).toHaveLength(2);
    expect(seen[0]).toBe(seen[1]);
  });

  test('[TAP6] is called by both agents of a chat, with the same object', async () => {
    const [a, b] = [speaker('A'), speaker('B')];
    const seen: unknown[] = [];
    for (const agent of [a, b]) {
      agent.taps.add({
        around: (step, work) => {
          if (step.kind === 'chat') seen.push(step);
          return work();
        },
      });
    }
    await a.initiateChat(b, { message: 'hello', maxTurns: 1 });
    expect(seen).toHaveLength(2);
    expect(seen[0]).toBe(seen[1]);
    expect(seen[0]).toMatchObject({ agent: a, recipient: b });
  });

  test('[TAP7] hands its signal to tools', async () => {
    const { signal } = new AbortController();
    const given: unknown[] = [];
    const a = speaker('A', { functionMap: { f: (_, options) => given.push(options?.signal) } });
    a.taps.add({ around: (_, work) => work(signal) });
    const call = { id: '1', type: 'function', function: { name: 'f', arguments: '{}' } };
    await a.generateReply({ messages: [{ content: null, tool_calls: [call] }] });
    expect(given).toEqual([signal]);
  });

  test('[TAP10] makes a reply one without tools, within a bound and with other messages', async () => {
    const client = new ReplayChatCompletionClient(['one', 'two']);
    const tools = [{ name: 'look' }];
    const extraCreateArgs = { seed: 1, tool_choice: 'required' };
    const a = speaker('A', { llmConfig: { client, tools, extraCreateArgs } });
    const remove = a.taps.add({
      around: (step, work) => {
        const messages = [{ role: 'user', content: 'Sum it up.' }] as const;
        return step.kind === 'model-request'
          ? work(undefined, { maxTokens: 50, messages })
          : work();
      },
    });
    await a.generateReply({ messages: [{ role: 'user', content: 'x' }] });
    remove();
    await a.generateReply({ messages: [{ role: 'user', content: 'x' }] });
    const [toolless, usual] = client.calls;
    expect(toolless?.messages.map(({ content }) => content)).toEqual(['Sum it up.']);
    expect(toolless?.options).toEqual({ extraCreateArgs: { seed: 1, max_tokens: 50 } });
    expect(usual?.options).toEqual({ tools, extraCreateArgs });
  });

  test('[TAP7] hands its signal to models and executors, all signals as one', async () => {
    const [first, second] = [new AbortController(), new AbortController()];
    const signals: (AbortSignal | undefined)[] = [];
    const client = new ReplayChatCompletionClient(['one']);
    const create = client.create.bind(client);
    client.create = async (messages, options) => {
      signals.push(options?.signal);
      return create(messages, options);
    };
    const thinker = speaker('A', { llmConfig: { client } });
    const runner = speaker('B', {
      codeExecutionConfig: {
        executor: {
          executeCodeBlocks: async (_, options) => {
            signals.push(options?.signal);
            return { exitCode: 0, output: '' };
          },
        },
      },
    });
    for (const agent of [thinker, runner]) {
      agent.taps.add(frame('1', [], first.signal));
      agent.taps.add(frame('2', [], second.signal));
    }
    await thinker.generateReply({ messages: [{ content: 'x' }] });
    await runner.generateReply({ messages: [{ role: 'user', content: '```sh\nls\n```' }] });
    second.abort();
    expect(signals.map((signal) => signal?.aborted)).toEqual([true, true]);
  });

  test('[TAP9] a refused reply ends a chat of so many turns, and one that is not there does not', async () => {
    const a = speaker('A');
    const b = speaker('B');
    const refuses = { admit: ({ kind }: { kind: string }) => kind === 'turn' && { reason: 'no' } };
    const remove = b.taps.add(refuses as never);
    const { chatHistory, stopReason } = await a.initiateChat(b, { message: 'hello', maxTurns: 5 });
    expect([chatHistory.length, stopReason]).toEqual([1, 'no']);
    remove();
    const mute = script('C');
    const alone = await a.initiateChat(mute, { message: 'hello', maxTurns: 5 });
    expect([alone.chatHistory.length, alone.stopKind]).toEqual([5, 'max_turns']);
  });

  test('[TAP8] an error with a refusal ends the step like a refusal, any other error the chat', async () => {
    const client = new ReplayChatCompletionClient(['one', 'two']);
    const a = speaker('A', { llmConfig: { client } });
    const errors = [
      Object.assign(new Error('late'), { refusal: { reason: 'late' } }),
      new Error('x'),
    ];
    a.taps.add({
      around: async (step, work) => {
        const done = await work();
        if (step.kind === 'model-request') throw errors.shift();
        return done;
      },
    });
    const b = speaker('B');
    const { chatHistory, stopReason } = await b.initiateChat(a, { message: 'hello' });
    expect([chatHistory.length, stopReason]).toEqual([1, 'late']);
    await expect(b.initiateChat(a, { message: 'hello' })).rejects.toThrow('x');
  });
});
