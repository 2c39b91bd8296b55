import { Breaker } from '@teamfuse/core';
import { generateOaiReply } from '@teamfuse/groupchat';
import { FakeClock } from '@teamfuse/testing';
import { describe, expect, test } from 'vitest';
import { guardAgents } from '../src/index.ts';
import { group, speaker, thinker } from './support/agents.ts';
import { bareBreaker } from './support/bare-breaker.ts';
import { paused } from './support/gate.ts';
import { ofKind, record, said } from './support/signals.ts';
import { watched } from './support/watched.ts';

describe('nested chats', () => {
  test('[GCS16] each time one is triggered is told with trigger, depth and path', async () => {
    const [user, writer, critic] = [speaker('user'), speaker('writer'), speaker('critic')];
    const checker = speaker('checker');
    writer.registerNestedChats([{ recipient: critic, message: 'Well?', maxTurns: 1 }], [user]);
    critic.registerNestedChats(
      [{ recipient: checker, maxTurns: 1, summaryMethod: 'last_msg' }],
      [writer],
    );
    const { signals } = watched([user, writer, critic, checker]);
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
      ofKind(signals, 'nested-end').map(({ agent, depth, text }) => [agent, depth, text]),
    ).toEqual([
      ['checker', 2, 'I am checker'],
      ['critic', 1, 'I am checker'],
      ['checker', 2, 'I am checker'],
      ['critic', 1, 'I am checker'],
    ]);
    const [begun, ended] = (['nested-start', 'nested-end'] as const).map((kind) =>
      ofKind(signals, kind).map(({ chatId }) => chatId),
    );
    expect(new Set(begun).size).toBe(4);
    expect(ended).toEqual([begun?.[1], begun?.[0], begun?.[3], begun?.[2]]);
  });

  test('[GCS16] one that fails is over, too', async () => {
    const [user, writer, critic] = [speaker('user'), speaker('writer'), speaker('critic')];
    critic.registerReply([() => true, null], () => {
      throw new Error('no power');
    });
    writer.registerNestedChats([{ recipient: critic, message: 'Well?' }], [user]);
    const { signals } = watched([user, writer, critic]);
    await expect(user.initiateChat(writer, { message: 'Write!' })).rejects.toThrow('no power');
    await writer.initiateChat(user, { message: 'again', maxTurns: 1 });
    expect(ofKind(signals, 'nested-end')).toHaveLength(1);
    expect(signals.at(-1)).toMatchObject({ agent: 'user' });
    expect(signals.at(-1)?.depth).toBeUndefined();
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
    const { signals } = watched([asker, runner, helper, friend]);
    await runner.initiateChat(asker, { message: 'Go!' });
    expect(ofKind(signals, 'nested-start')).toMatchObject([
      { agent: 'runner', trigger: 'tool:spawn', depth: 1, path: ['runner', 'friend'] },
    ]);
    expect(ofKind(signals, 'nested-end')).toMatchObject([{ text: 'I am friend', depth: 1 }]);
    const depths = ofKind(signals, 'message').map(({ agent, depth = 0 }) => `${agent} ${depth}`);
    expect(depths).toEqual(['helper 1', 'friend 1', 'asker 0']);
  });

  test('[GCS17] chats that a tool opens side by side are both nested in its turn', async () => {
    const [a, b, c, d] = ['A', 'B', 'C', 'D'].map((name) => speaker(name));
    const spawn = async () => {
      if (!a || !b || !c || !d) return;
      const options = { message: 'psst', maxTurns: 2 };
      await Promise.all([a.initiateChat(b, options), c.initiateChat(d, options)]);
    };
    const runner = speaker('runner', '', { functionMap: { spawn } });
    const { signals } = watched([runner, ...[a, b, c, d].flatMap((agent) => agent ?? [])]);
    const message = { content: null, tool_calls: [{ id: '1', function: { name: 'spawn' } }] };
    await speaker('asker').initiateChat(runner, { message, maxTurns: 1 });
    const starts = ofKind(signals, 'nested-start').map(({ trigger, depth }) => [trigger, depth]);
    expect(starts).toEqual([
      ['tool:spawn', 1],
      ['tool:spawn', 1],
    ]);
  });

  test('[GCS17] also one that a tool opens while another of its chats waits for a model', async () => {
    const [a, c, d] = [speaker('A'), speaker('C'), speaker('D')];
    const { agent: b } = thinker('B', ['thought']);
    let opened: Promise<unknown> = Promise.resolve();
    const client = b.client?.config.client;
    const create = client?.create.bind(client);
    const spawn = async () => {
      const isAsked = new Promise<void>((resolve) => {
        Object.assign(client ?? {}, {
          create: async (...args: Parameters<NonNullable<typeof create>>) => {
            resolve();
            await opened;
            return create?.(...args);
          },
        });
      });
      opened = isAsked.then(() => c.initiateChat(d, { message: 'psst', maxTurns: 1 }));
      await a.initiateChat(b, { message: 'psst', maxTurns: 1 });
    };
    const runner = speaker('runner', '', { functionMap: { spawn } });
    const { signals } = watched([runner, a, b, c, d]);
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
    const { signals } = watched([user, writer, critic]);
    await user.initiateChat(writer, { message: 'Write!', maxTurns: 1 });
    expect(ofKind(signals, 'nested-start')).toMatchObject([
      { agent: 'writer', trigger: 'reply:writer', depth: 1 },
    ]);
  });

  test('[GCS18] chats that run side by side are each their own', async () => {
    const clock = new FakeClock(1_000);
    const breaker = bareBreaker({ now: clock.now });
    const signals = record(breaker);
    const pairs = ['1', '2'].map((at) => [speaker(`A${at}`), speaker(`B${at}`)] as const);
    guardAgents(pairs.flat(), breaker);
    await Promise.all(pairs.map(([a, b]) => a.initiateChat(b, { message: 'hello', maxTurns: 3 })));
    expect(ofKind(signals, 'nested-start')).toEqual([]);
    expect(new Set(signals.map(({ depth }) => depth))).toEqual(new Set([undefined]));
  });

  test('[GCS18] an agent that takes part in two chats is heard at the depth of each', async () => {
    const [user, writer] = [speaker('user'), speaker('writer')];
    const [critic, friend] = [speaker('critic'), speaker('friend')];
    writer.registerNestedChats([{ recipient: critic, message: 'Well?', maxTurns: 3 }], [user]);
    const { signals } = watched([user, writer, critic, friend]);
    await Promise.all([
      friend.initiateChat(critic, { message: 'hello', maxTurns: 9 }),
      user.initiateChat(writer, { message: 'Write!', maxTurns: 2 }),
    ]);
    const byCritic = ofKind(signals, 'message').filter(({ agent }) => agent === 'critic');
    expect(new Set(byCritic.map(({ to, depth = 0 }) => `${to} ${depth}`))).toEqual(
      new Set(['friend 0', 'writer 1']),
    );
  });

  test('[GCS18] a chat that begins while another waits for its model is its own', async () => {
    const [a, c, d] = [speaker('A'), speaker('C'), speaker('D')];
    const { agent: b, client } = thinker('B', ['thought']);
    const { manager } = group([a, b], { maxRound: 2 });
    const { signals } = watched([a, b, c, d, manager]);
    const { isAsked, answer } = paused(client);
    const chat = a.initiateChat(manager, { message: 'hello' });
    await isAsked;
    await c.initiateChat(d, { message: 'meanwhile', maxTurns: 1 });
    answer();
    await chat;
    expect(ofKind(signals, 'nested-start')).toEqual([]);
    expect(said(signals).toSorted()).toEqual([
      'A: hello',
      'B: thought',
      'C: meanwhile',
      'D: I am D',
    ]);
  });
});

describe('a turn that has asked its model', () => {
  test('[GCS17] may open a chat between others, which is nested in it', async () => {
    const { agent: writer } = thinker('writer', ['thought']);
    const [user, helper, friend] = [speaker('user'), speaker('helper'), speaker('friend')];
    writer.registerReply([user], async (...asked) => {
      await generateOaiReply(...asked);
      await helper.initiateChat(friend, { message: 'psst', maxTurns: 1 });
      return [true, 'done'];
    });
    const { signals } = watched([user, writer, helper, friend]);
    await user.initiateChat(writer, { message: 'Write!', maxTurns: 1 });
    expect(ofKind(signals, 'nested-start')).toMatchObject([{ agent: 'writer', depth: 1 }]);
  });
});

describe('the scope of limits', () => {
  test('[GCS19] each outermost chat starts the limits afresh', async () => {
    const [a, b] = [speaker('A'), speaker('B')];
    const breaker = bareBreaker({ maxMessages: 5, speakerCycle: false });
    guardAgents([a, b], breaker);
    for (let run = 0; run < 3; run += 1) await a.initiateChat(b, { message: 'hello', maxTurns: 2 });
    expect(breaker.conversation().trip).toBeUndefined();
  });

  test('[GCS19] nested chats do not', async () => {
    const [user, writer, critic] = [speaker('user'), speaker('writer'), speaker('critic')];
    writer.registerNestedChats([{ recipient: critic, message: 'Well?', maxTurns: 1 }], [user]);
    const breaker = bareBreaker({ maxMessages: 6 });
    const signals = record(breaker);
    guardAgents([user, writer, critic], breaker);
    await user.initiateChat(writer, { message: 'Write!', maxTurns: 9 });
    expect(breaker.conversation().trip?.evidence).toMatchObject({ count: 6, limit: 6 });
    expect(
      ofKind(signals.slice(0, (breaker.conversation().trip?.index ?? 0) + 1), 'message'),
    ).toHaveLength(6);
  });

  test('[GCS19] a chat that begins beside another has limits of its own', async () => {
    const [a, c, d] = [speaker('A'), speaker('C'), speaker('D')];
    const { agent: b, client } = thinker('B', ['one', 'two', 'three', 'four']);
    const breaker = bareBreaker({ maxMessages: 7 });
    const signals = record(breaker);
    guardAgents([a, b, c, d], breaker);
    const { isAsked, answer } = paused(client);
    const chat = a.initiateChat(b, { message: 'hello', maxTurns: 9 });
    await isAsked;
    await c.initiateChat(d, { message: 'meanwhile', maxTurns: 2 });
    answer();
    await chat;
    expect(breaker.conversation().trip?.evidence).toMatchObject({ count: 7, limit: 7 });
    expect(said(signals)).toHaveLength(4 + 7);
  });

  test('[GCS20] with the scope breaker they count on, as over a sequence of chats', async () => {
    const [a, b, c] = [speaker('A'), speaker('B'), speaker('C')];
    const breaker = bareBreaker({ maxMessages: 3 });
    guardAgents([a, b, c], breaker, { scope: 'breaker' });
    const results = await a.initiateChats([
      { recipient: b, message: 'one', maxTurns: 1, silent: true },
      { recipient: c, message: 'two', maxTurns: 1, silent: true },
    ]);
    expect(results.map(({ chatHistory }) => chatHistory.length)).toEqual([2, 1]);
  });
});

describe('the same long answer in one chat after the other', () => {
  const ANSWER = `It is spam. Delete it at once, and put the sender on the list of those whose mail nobody here will ever read. TERMINATE`;

  async function answered(tasks: readonly string[]): Promise<readonly string[]> {
    const user = speaker('user', '', {
      isTerminationMsg: ({ content }) => String(content).includes('TERMINATE'),
    });
    const { agent: clerk } = thinker('clerk', Array(tasks.length).fill(ANSWER));
    guardAgents([user, clerk], new Breaker(), { judge: false });
    const kinds: string[] = [];
    for (const message of tasks) kinds.push((await user.initiateChat(clerk, { message })).stopKind);
    return kinds;
  }

  test('[GCD1] is no loop where each chat has a task of its own', async () => {
    const mails = ['You won a prize', 'Golden watches', 'A parcel waits', 'Invest now'];
    const kinds = await answered(mails.map((mail) => `Is this spam? ${mail}`));
    expect(new Set(kinds)).toEqual(new Set(['termination_msg']));
  });

  test('[GCD1] is one where the task is the same', async () => {
    expect(await answered(Array(4).fill('Is this spam? You won a prize'))).toContain('refused');
  });
});
