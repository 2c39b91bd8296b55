import type { ConversableAgent } from '@teamfuse/groupchat';
import { describe, expect, test } from 'vitest';
import { type GuardOptions, install } from '../src/index.ts';
import { group, speaker, thinker } from './support/agents.ts';
import { bareBreaker } from './support/bare-breaker.ts';
import { Clock } from './support/clock.ts';
import { ofKind, record, said } from './support/signals.ts';

function watch(agents: readonly ConversableAgent[], options: GuardOptions = {}) {
  const breaker = bareBreaker();
  install(breaker, agents, options);
  return record(breaker);
}

describe('nested chats', () => {
  test('[GCS16] each time one is triggered is told with trigger, depth and path', async () => {
    const [user, writer, critic] = [speaker('user'), speaker('writer'), speaker('critic')];
    const checker = speaker('checker');
    writer.registerNestedChats([{ recipient: critic, message: 'Well?', maxTurns: 1 }], [user]);
    critic.registerNestedChats(
      [{ recipient: checker, maxTurns: 1, summaryMethod: 'last_msg' }],
      [writer],
    );
    const signals = watch([user, writer, critic, checker]);
    await user.initiateChat(writer, { message: 'Write!', maxTurns: 2 });
    const starts = ofKind(signals, 'nested-start').map(({ agent, trigger, depth, path, text }) => ({
      agent,
      trigger,
      depth,
      path: path.join('/'),
      text,
    }));
    const outer = {
      agent: 'writer',
      trigger: 'reply:writer',
      depth: 1,
      path: 'user/critic',
      text: 'Well?',
    };
    const inner = {
      agent: 'critic',
      trigger: 'reply:critic',
      depth: 2,
      path: 'user/critic/checker',
      text: 'Well?',
    };
    expect(starts).toEqual([outer, inner, outer, inner]);
    expect(
      ofKind(signals, 'nested-end').map(({ chatId, depth, text }) => [chatId, depth, text]),
    ).toEqual([
      ['checker', 2, 'I am checker'],
      ['critic', 1, 'I am checker'],
      ['checker', 2, 'I am checker'],
      ['critic', 1, 'I am checker'],
    ]);
  });

  test('[GCS16] one that fails is over, too', async () => {
    const [user, writer, critic] = [speaker('user'), speaker('writer'), speaker('critic')];
    critic.registerReply([() => true, null], () => {
      throw new Error('no power');
    });
    writer.registerNestedChats([{ recipient: critic, message: 'Well?' }], [user]);
    const signals = watch([user, writer, critic]);
    await expect(user.initiateChat(writer, { message: 'Write!' })).rejects.toThrow('no power');
    await writer.initiateChat(user, { message: 'again', maxTurns: 1 });
    expect(ofKind(signals, 'nested-end')).toHaveLength(1);
    expect(signals.at(-1)).toMatchObject({ agent: 'user', depth: 0 });
  });

  test('[GCS17] a chat that a tool opens is nested in the turn that called the tool', async () => {
    const [helper, friend] = [speaker('helper'), speaker('friend')];
    const { agent: asker } = thinker('asker', [
      { content: [{ id: '1', name: 'spawn', arguments: '{}' }] },
      'TERMINATE',
    ]);
    const spawn = async () =>
      (await helper.initiateChat(friend, { message: 'psst', maxTurns: 1 })).summary;
    const runner = speaker('runner', '', { functionMap: { spawn } });
    const signals = watch([asker, runner, helper, friend]);
    await runner.initiateChat(asker, { message: 'Go!' });
    expect(ofKind(signals, 'nested-start')).toMatchObject([
      { agent: 'runner', trigger: 'tool:spawn', depth: 1, path: ['runner', 'friend'] },
    ]);
    expect(ofKind(signals, 'nested-end')).toMatchObject([{ text: 'I am friend', depth: 1 }]);
    const depths = ofKind(signals, 'message').map(({ agent, depth }) => `${agent} ${depth}`);
    expect(depths).toEqual(['runner 0', 'helper 1', 'friend 1', 'asker 0']);
  });

  test('[GCS17] chats that a tool opens side by side are both nested in its turn', async () => {
    const [a, b, c, d] = ['A', 'B', 'C', 'D'].map((name) => speaker(name));
    const spawn = async () => {
      if (!a || !b || !c || !d) return;
      const options = { message: 'psst', maxTurns: 2 };
      await Promise.all([a.initiateChat(b, options), c.initiateChat(d, options)]);
    };
    const runner = speaker('runner', '', { functionMap: { spawn } });
    const signals = watch([runner, ...[a, b, c, d].flatMap((agent) => agent ?? [])]);
    const message = { content: null, tool_calls: [{ id: '1', function: { name: 'spawn' } }] };
    await speaker('asker').initiateChat(runner, { message, maxTurns: 1 });
    const starts = ofKind(signals, 'nested-start').map(({ trigger, depth }) => [trigger, depth]);
    expect(starts).toEqual([
      ['tool:spawn', 1],
      ['tool:spawn', 1],
    ]);
  });

  test('[GCS17] a chat that a reply function opens is nested in its turn', async () => {
    const [user, writer, critic] = [speaker('user'), speaker('writer'), speaker('critic')];
    writer.registerReply([user], async () => {
      const { summary } = await writer.initiateChat(critic, { message: 'Well?', maxTurns: 1 });
      return [true, summary];
    });
    const signals = watch([user, writer, critic]);
    await user.initiateChat(writer, { message: 'Write!', maxTurns: 1 });
    expect(ofKind(signals, 'nested-start')).toMatchObject([
      { agent: 'writer', trigger: 'reply:writer', depth: 1 },
    ]);
  });

  test('[GCS18] chats that run side by side are each their own', async () => {
    const clock = new Clock();
    const breaker = bareBreaker({ now: clock.now });
    const signals = record(breaker);
    const pairs = ['1', '2'].map((at) => [speaker(`A${at}`), speaker(`B${at}`)] as const);
    install(breaker, pairs.flat());
    await Promise.all(pairs.map(([a, b]) => a.initiateChat(b, { message: 'hello', maxTurns: 3 })));
    expect(ofKind(signals, 'nested-start')).toEqual([]);
    expect(new Set(signals.map(({ depth }) => depth))).toEqual(new Set([0]));
  });

  test('[GCS18] an agent that takes part in two chats is heard at the depth of each', async () => {
    const [user, writer] = [speaker('user'), speaker('writer')];
    const [critic, friend] = [speaker('critic'), speaker('friend')];
    writer.registerNestedChats([{ recipient: critic, message: 'Well?', maxTurns: 3 }], [user]);
    const signals = watch([user, writer, critic, friend]);
    await Promise.all([
      friend.initiateChat(critic, { message: 'hello', maxTurns: 9 }),
      user.initiateChat(writer, { message: 'Write!', maxTurns: 2 }),
    ]);
    const byCritic = ofKind(signals, 'message').filter(({ agent }) => agent === 'critic');
    expect(new Set(byCritic.map(({ to, depth }) => `${to} ${depth}`))).toEqual(
      new Set(['friend 0', 'writer 1']),
    );
  });

  test('[GCS18] a chat that begins while another waits for its model is its own', async () => {
    const [a, c, d] = [speaker('A'), speaker('C'), speaker('D')];
    const { agent: b } = thinker('B', ['thought']);
    const { manager } = group([a, b], { maxRound: 2 });
    const signals = watch([a, b, c, d, manager]);
    const create = b.client?.config.client.create.bind(b.client.config.client);
    let meanwhile: Promise<unknown> = Promise.resolve();
    Object.assign(b.client?.config.client ?? {}, {
      create: async (...args: Parameters<NonNullable<typeof create>>) => {
        meanwhile = c.initiateChat(d, { message: 'meanwhile', maxTurns: 1 });
        return create?.(...args);
      },
    });
    await a.initiateChat(manager, { message: 'hello' });
    await meanwhile;
    expect(ofKind(signals, 'nested-start')).toEqual([]);
    expect(said(signals).toSorted()).toEqual([
      'A: hello',
      'B: thought',
      'C: meanwhile',
      'D: I am D',
    ]);
  });
});

describe('the scope of limits', () => {
  test('[GCS19] each outermost chat starts the limits afresh', async () => {
    const [a, b] = [speaker('A'), speaker('B')];
    const breaker = bareBreaker({ maxMessages: 5, speakerCycle: false });
    install(breaker, [a, b]);
    for (let run = 0; run < 3; run += 1) await a.initiateChat(b, { message: 'hello', maxTurns: 2 });
    expect(breaker.trip).toBeUndefined();
  });

  test('[GCS19] nested chats and chats side by side do not', async () => {
    const [user, writer, critic] = [speaker('user'), speaker('writer'), speaker('critic')];
    writer.registerNestedChats([{ recipient: critic, message: 'Well?', maxTurns: 1 }], [user]);
    const breaker = bareBreaker({ maxMessages: 6 });
    const signals = record(breaker);
    const guard = install(breaker, [user, writer, critic]);
    const other = speaker('other');
    let meanwhile: Promise<unknown> = Promise.resolve();
    breaker.on('signal', ({ index }) => {
      if (index === 4) meanwhile = other.initiateChat(speaker('friend'), { message: 'meanwhile' });
    });
    guard.add(other);
    await user.initiateChat(writer, { message: 'Write!', maxTurns: 3 });
    await meanwhile;
    expect(breaker.trip?.evidence).toMatchObject({ count: 6, limit: 6 });
    const told = signals.slice(0, (breaker.trip?.index ?? 0) + 1);
    expect(ofKind(told, 'message')).toHaveLength(6);
  });

  test('[GCS20] with the scope breaker they count on, as over a sequence of chats', async () => {
    const [a, b, c] = [speaker('A'), speaker('B'), speaker('C')];
    const breaker = bareBreaker({ maxMessages: 3 });
    install(breaker, [a, b, c], { scope: 'breaker' });
    const results = await a.initiateChats([
      { recipient: b, message: 'one', maxTurns: 1, silent: true },
      { recipient: c, message: 'two', maxTurns: 1, silent: true },
    ]);
    expect(results.map(({ chatHistory }) => chatHistory.length)).toEqual([2, 1]);
  });
});

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
    const signals = watch([coder, runner, manager]);
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
    const signals = watch([person]);
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
    const signals = watch([runner]);
    await speaker('coder').initiateChat(runner, { message: '```sh\nls\n```', maxTurns: 1 });
    expect(said(signals)).toContain('runner: It went well.');
  });
});

describe('time', () => {
  test('[GCS21] how long a person was waited for is told, and does not count as run time', async () => {
    const clock = new Clock();
    const breaker = bareBreaker({ now: clock.now, maxRunMs: 10_000 });
    const signals = record(breaker);
    const answers = ['Tell me more.', '', 'exit'];
    const io = {
      print() {},
      warn() {},
      input: async () => {
        clock.pass(3_600_000);
        return answers.shift() ?? 'exit';
      },
    };
    const person = speaker('person', 'go on', { humanInputMode: 'ALWAYS', io });
    const bot = speaker('bot');
    install(breaker, [person, bot]);
    const { stopReason } = await bot.initiateChat(person, { message: 'hello' });
    expect(stopReason).toBeNull();
    expect(ofKind(signals, 'human-input')).toEqual([
      {
        kind: 'human-input',
        at: 3_601_000,
        agent: 'person',
        depth: 0,
        text: 'Tell me more.',
        waitedMs: 3_600_000,
      },
      expect.objectContaining({ text: '', decision: 'approve', waitedMs: 3_600_000 }),
      expect.objectContaining({ text: 'exit', decision: 'reject', waitedMs: 3_600_000 }),
    ]);
  });

  test('[GCS21] so is who a person chose to speak', async () => {
    const clock = new Clock();
    const breaker = bareBreaker({ now: clock.now });
    const signals = record(breaker);
    const io = {
      print() {},
      warn() {},
      input: async () => {
        clock.pass(5_000);
        return '2';
      },
    };
    const members = ['A', 'B', 'C'].map((name) => speaker(name));
    const { groupchat, manager } = group(members, {
      speakerSelectionMethod: 'manual',
      maxRound: 2,
    });
    Object.assign(manager, { io });
    install(breaker, [...members, manager]);
    await members[0]?.initiateChat(manager, { message: 'hello' });
    expect(groupchat.messages.at(-1)?.name).toBe('B');
    expect(ofKind(signals, 'human-input')).toMatchObject([
      { agent: 'chat_manager', text: '2', waitedMs: 5_000 },
    ]);
  });

  test('[GCS22] how long a tool and a program took is told', async () => {
    const clock = new Clock();
    const breaker = bareBreaker({ now: clock.now });
    const signals = record(breaker);
    const executor = {
      executeCodeBlocks: async () => {
        clock.pass(700);
        return { exitCode: 124, output: 'Timeout' };
      },
    };
    const coder = speaker('coder', ['```python\nwhile True: pass\n```\n```python\nprint(1)\n```']);
    const runner = speaker('runner', '', { codeExecutionConfig: { executor } });
    install(breaker, [coder, runner]);
    await runner.initiateChat(coder, { message: 'Code!', maxTurns: 2 });
    expect(ofKind(signals, 'execution')).toEqual([
      {
        kind: 'execution',
        at: 1_700,
        agent: 'runner',
        depth: 0,
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
    const signals = watch([runner]);
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
    const signals = watch([coder, runner]);
    await expect(runner.initiateChat(coder, { message: 'Code!', maxTurns: 2 })).rejects.toThrow();
    expect(ofKind(signals, 'execution')).toMatchObject([
      { exitCode: null, output: 'Error: no such container' },
    ]);
  });
});
