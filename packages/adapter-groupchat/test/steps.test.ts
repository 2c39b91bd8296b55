import { FakeClock } from '@teamfuse/testing';
import { describe, expect, test } from 'vitest';
import { guardAgents } from '../src/index.ts';
import { group, speaker } from './support/agents.ts';
import { bareBreaker } from './support/bare-breaker.ts';
import { ofKind, record, said } from './support/signals.ts';
import { watched } from './support/watched.ts';

describe('what a message passes on', () => {
  test('[GCS23] the report of a program and the words of a person are told once, as what they are', async () => {
    const io = { print() {}, warn() {}, input: async () => 'Run it again.' };
    const executor = { executeCodeBlocks: async () => ({ exitCode: 1, output: 'no disk' }) };
    const coder = speaker('coder', ['```sh\nls\n```', 'As you wish.']);
    const runner = speaker('runner', '', {
      codeExecutionConfig: { executor },
      humanInputMode: 'TERMINATE',
      maxConsecutiveAutoReply: 1,
      io,
    });
    const { groupchat, manager } = group([coder, runner], { maxRound: 5 });
    const { signals } = watched([coder, runner, manager]);
    await runner.initiateChat(manager, { message: 'Code!' });
    expect(groupchat.messages.map(({ content }) => content)).toEqual([
      'Code!',
      '```sh\nls\n```',
      'exitcode: 1 (execution failed)\nCode output: no disk',
      'As you wish.',
      'Run it again.',
    ]);
    const told = signals.filter(({ kind }) => kind !== 'selection');
    expect(told.map(({ kind, agent }) => `${kind} ${agent}`)).toEqual([
      'message runner',
      'message coder',
      'execution runner',
      'message coder',
      'human-input runner',
    ]);
  });

  test('[GCS23] the same words said later by the agent itself are told', async () => {
    const io = { print() {}, warn() {}, input: async () => 'Go on.' };
    const person = speaker('person', 'Go on.', {
      humanInputMode: 'TERMINATE',
      maxConsecutiveAutoReply: 1,
      io,
    });
    const { signals } = watched([person]);
    await person.initiateChat(speaker('B'), { message: 'hello', maxTurns: 4 });
    const told = signals.filter(({ agent }) => agent === 'person').map(({ kind }) => kind);
    expect(told).toEqual(['message', 'message', 'human-input', 'message']);
  });

  test('[GCS23] what else an agent says after it has run something is told', async () => {
    const executor = { executeCodeBlocks: async () => ({ exitCode: 0, output: 'fine' }) };
    const runner = speaker('runner', '', { codeExecutionConfig: { executor } });
    const { codeReply } = runner;
    if (codeReply) {
      runner.replaceReplyFunc(codeReply, async (...asked) => {
        await codeReply(...asked);
        return [true, 'It went well.'];
      });
    }
    const { signals } = watched([runner]);
    await speaker('coder').initiateChat(runner, { message: '```sh\nls\n```', maxTurns: 1 });
    expect(said(signals)).toContain('runner: It went well.');
  });
});

describe('time', () => {
  test('[GCS21] how long a person was waited for is told, and does not count as run time', async () => {
    const clock = new FakeClock(1_000);
    const breaker = bareBreaker({ now: clock.now, maxRunMs: 10_000 });
    const signals = record(breaker);
    const answers = ['Tell me more.', '', 'exit'];
    const io = {
      print() {},
      warn() {},
      input: async () => {
        clock.advance(3_600_000);
        return answers.shift() ?? 'exit';
      },
    };
    const person = speaker('person', 'go on', { humanInputMode: 'ALWAYS', io });
    const bot = speaker('bot');
    guardAgents([person, bot], breaker);
    const { stopKind } = await bot.initiateChat(person, { message: 'hello' });
    expect(stopKind).toBe('human_exit');
    expect(ofKind(signals, 'human-input')).toEqual([
      {
        kind: 'human-input',
        at: 3_601_000,
        agent: 'person',
        text: 'Tell me more.',
        waitedMs: 3_600_000,
      },
      expect.objectContaining({ text: '', decision: 'approve', waitedMs: 3_600_000 }),
      expect.objectContaining({ text: 'exit', decision: 'reject', waitedMs: 3_600_000 }),
    ]);
  });

  test('[GCS21] so is who a person chose to speak', async () => {
    const clock = new FakeClock(1_000);
    const breaker = bareBreaker({ now: clock.now });
    const signals = record(breaker);
    const io = {
      print() {},
      warn() {},
      input: async () => {
        clock.advance(5_000);
        return '2';
      },
    };
    const members = ['A', 'B', 'C'].map((name) => speaker(name));
    const { groupchat, manager } = group(members, {
      speakerSelectionMethod: 'manual',
      maxRound: 2,
    });
    Object.assign(manager, { io });
    guardAgents([...members, manager], breaker);
    await members[0]?.initiateChat(manager, { message: 'hello' });
    expect(groupchat.messages.at(-1)?.name).toBe('B');
    expect(ofKind(signals, 'human-input')).toMatchObject([
      { agent: 'chat_manager', text: '2', waitedMs: 5_000 },
    ]);
  });

  test('[GCS22] how long a tool and a program took is told', async () => {
    const clock = new FakeClock(1_000);
    const breaker = bareBreaker({ now: clock.now });
    const signals = record(breaker);
    const executor = {
      executeCodeBlocks: async () => {
        clock.advance(700);
        return { exitCode: 124, output: 'Timeout' };
      },
    };
    const coder = speaker('coder', ['```python\nwhile True: pass\n```\n```python\nprint(1)\n```']);
    const runner = speaker('runner', '', { codeExecutionConfig: { executor } });
    guardAgents([coder, runner], breaker);
    await runner.initiateChat(coder, { message: 'Code!', maxTurns: 2 });
    expect(ofKind(signals, 'execution')).toEqual([
      {
        kind: 'execution',
        at: 1_700,
        agent: 'runner',
        language: 'python',
        code: 'while True: pass\nprint(1)',
        exitCode: 124,
        output: 'Timeout',
        timedOut: true,
        durationMs: 700,
      },
    ]);
  });

  test('[GCS22] a program that was killed has no exit code', async () => {
    const executor = { executeCodeBlocks: async () => ({ exitCode: -9, output: '' }) };
    const runner = speaker('runner', '', { codeExecutionConfig: { executor } });
    const { signals } = watched([runner]);
    await speaker('coder').initiateChat(runner, { message: '```sh\nls\n```', maxTurns: 1 });
    expect(ofKind(signals, 'execution')).toMatchObject([{ exitCode: null }]);
  });

  test('[GCS22] an executor that fails is told with what it failed with', async () => {
    const executor = {
      executeCodeBlocks: async (): Promise<never> => {
        throw new Error('no such container');
      },
    };
    const coder = speaker('coder', ['```sh\nls\n```']);
    const runner = speaker('runner', '', { codeExecutionConfig: { executor } });
    const { signals } = watched([coder, runner]);
    await expect(runner.initiateChat(coder, { message: 'Code!', maxTurns: 2 })).rejects.toThrow();
    expect(ofKind(signals, 'execution')).toMatchObject([
      { exitCode: null, output: 'no such container' },
    ]);
  });
});
