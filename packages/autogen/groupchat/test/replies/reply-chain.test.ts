import { describe, expect, test } from 'vitest';
import {
  Agent,
  type ChatMessage,
  ConversableAgent,
  checkTerminationAndHumanReply,
  GroupChat,
  GroupChatManager,
  generateFunctionCallReply,
  generateOaiReply,
  generateToolCallsReply,
  type ReplyFunction,
  type ReplyResult,
  reservedPlace,
  runChat,
} from '../../src/index.ts';
import { speaker, TestIO } from '../cast.ts';

const ask = (agent: ConversableAgent, exclude: ReplyFunction[] = []) =>
  agent.generateReply({ messages: [{ role: 'user', content: 'hello' }], exclude });

const say =
  (text: string): ReplyFunction =>
  () => [true, text];

describe('registerReply', () => {
  test('[RC1] puts the latest registration first', async () => {
    const agent = speaker('A');
    agent.registerReply([Agent, null], say('first'));
    agent.registerReply([Agent, null], say('second'));
    expect(await ask(agent)).toBe('second');
  });

  test.each([
    [0, ['new', 'b', 'a']],
    [1, ['b', 'new', 'a']],
    [-1, ['b', 'new', 'a']],
    [99, ['b', 'a', 'new']],
  ])('[RC1] position %i counts as splice does', (position, expected) => {
    const agent = speaker('A');
    const named = (name: string): ReplyFunction =>
      Object.defineProperty(say(name), 'name', { value: name });
    agent.registerReply([Agent], named('a'), { removeOtherReplyFuncs: true });
    agent.registerReply([Agent], named('b'));
    agent.registerReply([Agent], named('new'), { position });
    expect(agent.replyFuncList.map(({ replyFunc }) => replyFunc.name)).toEqual(expected);
  });

  test('[RC2] a plain agent has eight places', () => {
    const functions = speaker('A').replyFuncList.map(({ replyFunc }) => replyFunc);
    expect(functions).toEqual([
      reservedPlace,
      checkTerminationAndHumanReply,
      reservedPlace,
      generateFunctionCallReply,
      reservedPlace,
      generateToolCallsReply,
      reservedPlace,
      generateOaiReply,
    ]);
  });

  test('[RC2] code execution stands before the model, without a second place', () => {
    const agent = speaker('A', {
      codeExecutionConfig: { runCode: () => ({ exitCode: 0, output: '' }) },
    });
    expect(agent.replyFuncList).toHaveLength(9);
    expect(agent.replyFuncList[6]?.replyFunc).toBe(agent.codeReply);
  });

  test('[RC2] a manager runs its group before anything else', () => {
    const manager = new GroupChatManager({ groupchat: new GroupChat({ agents: [] }) });
    expect(manager.replyFuncList).toHaveLength(10);
    expect(manager.replyFuncList[1]?.replyFunc).toBe(runChat);
  });

  test('[RC3] a function that is not final passes on, whatever its reply is', async () => {
    const agent = speaker('A');
    agent.registerReply([Agent, null], () => [false, 'ignored']);
    expect(await ask(agent)).toBe('I am A');
  });

  test('[RC3] a final null gives no reply', async () => {
    const agent = speaker('A');
    agent.registerReply([Agent, null], () => [true, null]);
    expect(await ask(agent)).toBeNull();
  });

  test('[RC4] a reply that is no pair is an error', async () => {
    const agent = speaker('A');
    agent.registerReply([Agent, null], (() => null) as unknown as ReplyFunction);
    await expect(ask(agent)).rejects.toMatchObject({ code: 'INVALID_USE' });
  });

  test('[RC5] a config is copied when registered and again on reset', async () => {
    const agent = speaker('A');
    const config = { n: 0 };
    const seen: number[] = [];
    agent.registerReply<{ n: number }>(
      [Agent, null],
      (_recipient, _messages, _sender, live) => {
        live.n += 1;
        seen.push(live.n);
        return [false, null];
      },
      { config },
    );
    await ask(agent);
    await ask(agent);
    agent.reset();
    await ask(agent);
    expect(seen).toEqual([1, 2, 1]);
    expect(config).toEqual({ n: 0 });
  });

  test('[RC5] resetConfig is handed the live config', async () => {
    const agent = speaker('A');
    const config = { n: 0 };
    let seen = 0;
    agent.registerReply<{ n: number }>(
      [Agent, null],
      (_recipient, _messages, _sender, live) => {
        seen = live.n;
        return [false, null];
      },
      { config, resetConfig: (live) => Object.assign(live, { n: 42 }) },
    );
    agent.reset();
    await ask(agent);
    expect(seen).toBe(42);
  });

  test('[RC6] functions are excluded, replaced, removed one by one, or removed at once', async () => {
    const agent = speaker('A');
    const one = say('one');
    const two = say('two');
    agent.registerReply([Agent, null], one);
    expect(await ask(agent, [one])).toBe('I am A');
    agent.replaceReplyFunc(one, two);
    expect(await ask(agent)).toBe('two');
    agent.removeReplyFunc(two);
    expect(agent.replyFuncList).toHaveLength(8);
    agent.registerReply([Agent, null], () => [false, null], { removeOtherReplyFuncs: true });
    expect(agent.replyFuncList).toHaveLength(1);
  });

  test('[RC6] removes all entries of a function and keeps the order of the others', () => {
    const agent = speaker('A');
    const before = agent.replyFuncList.map(({ replyFunc }) => replyFunc);
    const removed = say('removed');
    for (const position of [0, 0, 4, 99]) {
      agent.registerReply([Agent, null], removed, { position });
    }
    agent.removeReplyFunc(removed);
    expect(agent.replyFuncList.map(({ replyFunc }) => replyFunc)).toEqual(before);
  });

  test('[RC7] later functions see the changes of earlier ones in the messages', async () => {
    const agent = speaker('A');
    const messages: ChatMessage[] = [{ role: 'user', content: 'hello' }];
    agent.registerReply([Agent, null], (_recipient, given) => [
      true,
      given?.at(-1)?.content as string,
    ]);
    agent.registerReply([Agent, null], (_recipient, given) => {
      given?.push({ role: 'user', content: 'injected' });
      return [false, null];
    });
    expect(await agent.generateReply({ messages })).toBe('injected');
    expect(messages).toHaveLength(2);
  });

  test('[RC8] a reply needs messages or a sender', async () => {
    await expect(speaker('A').generateReply()).rejects.toMatchObject({ code: 'INVALID_USE' });
  });
});

describe('a method that is meant to override a built-in reply function', () => {
  class Parrot extends ConversableAgent {
    generateOaiReply(): ReplyResult {
      return [true, 'never said'];
    }
  }

  test('[RC9] is not called, and the constructor says so', async () => {
    const io = new TestIO();
    const parrot = new Parrot({ name: 'parrot', io, humanInputMode: 'NEVER' });
    expect(io.warnings).toEqual([
      'parrot: the method generateOaiReply has no effect, because the reply chain does not call it; pass a function to replaceReplyFunc or registerReply',
    ]);
    expect(await parrot.generateReply({ messages: [{ content: 'hello' }] })).toBe('');
  });

  test('[RC9] is replaced by a function that is', async () => {
    const agent = speaker('A');
    agent.replaceReplyFunc(generateOaiReply, () => [true, 'said']);
    expect(await agent.generateReply({ messages: [{ content: 'hello' }] })).toBe('said');
  });
});
