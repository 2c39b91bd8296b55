import type { BreakerOptions, BudgetOptions } from '@teamfuse/core';
import { describe, expect, test } from 'vitest';
import { CountingClient, NO_COUNTER } from '../../../models/test/support/counting-client.ts';
import { type GuardOptions, guardAgents } from '../../src/index.ts';
import { group, speaker, thinker } from '../support/agents.ts';
import { bareBreaker } from '../support/bare-breaker.ts';
import { paused } from '../support/gate.ts';
import { ofKind, record } from '../support/signals.ts';

/** Two pairs, guarded together or by one guard each. */
function pairs(guards: 1 | 2, options: BreakerOptions = {}) {
  const breaker = bareBreaker(options);
  const seen: string[] = [];
  breaker.on('signal', ({ conversation, signal }) => {
    if (signal.kind === 'message') seen.push(`${conversation}: ${signal.agent} ${signal.text}`);
  });
  const teams = ['1', '2'].map((at) => [speaker(`A${at}`), speaker(`B${at}`)] as const);
  if (guards === 1) guardAgents(teams.flat(), breaker);
  else for (const team of teams) guardAgents(team, breaker);
  const chat = (maxTurns: number) =>
    Promise.all(teams.map(([a, b]) => a.initiateChat(b, { message: 'hello', maxTurns })));
  return { breaker, seen, chat };
}

describe.each([1, 2] as const)('chats side by side under %i guard(s)', (guards) => {
  test('[GCP1] have a conversation each', async () => {
    const { seen, chat } = pairs(guards);
    await chat(1);
    const other = guards === 1 ? 'run 2' : 'team 2';
    expect(seen.toSorted()).toEqual([
      ': A1 hello',
      ': B1 I am B1',
      `${other}: A2 hello`,
      `${other}: B2 I am B2`,
    ]);
  });

  test('[GCP2] are stopped one by one', async () => {
    const { chat } = pairs(guards, { stopTexts: [{ text: 'I am A1' }] });
    const [first, second] = await chat(5);
    expect(first?.stopReason).toContain("the stop text 'I am A1' was said");
    expect(first?.chatHistory).toHaveLength(3);
    expect(second?.stopKind).toBe('max_turns');
    expect(second?.chatHistory).toHaveLength(10);
  });

  test('[GCP3] share one circuit with the scope of the breaker', async () => {
    const { chat } = pairs(guards, { stopTexts: [{ text: 'I am A1' }], scope: 'breaker' });
    for (const { stopReason } of await chat(5)) {
      expect(stopReason).toContain("the stop text 'I am A1' was said");
    }
  });
});

describe('an agent in two chats side by side', () => {
  test('[GCP1] is heard in the conversation of each', async () => {
    const breaker = bareBreaker();
    const seen: string[] = [];
    breaker.on('signal', ({ conversation, signal }) => {
      if (signal.kind === 'usage') seen.push(`${conversation}: ${signal.agent}`);
    });
    const { agent: clerk, client } = thinker('clerk', ['one', 'two']);
    const [a, b] = [speaker('A'), speaker('B')];
    guardAgents([clerk, a, b], breaker);
    const { isAsked, answer } = paused(client);
    const first = a.initiateChat(clerk, { message: 'hello', maxTurns: 1 });
    await isAsked;
    const second = b.initiateChat(clerk, { message: 'hello', maxTurns: 1 });
    answer();
    await Promise.all([first, second]);
    expect(seen.toSorted()).toEqual([': clerk', 'run 2: clerk']);
  });
});

describe('chats one after another', () => {
  test('[GCP1] share a conversation', async () => {
    const { seen, chat } = pairs(1);
    await chat(1);
    const before = new Set(seen.map((line) => line.split(':')[0]));
    await chat(1);
    expect(new Set(seen.map((line) => line.split(':')[0]))).toEqual(before);
  });
});

describe('chats that an agent without a guard begins', () => {
  test.each([undefined, 3])('[GCP4] are runs of their own, with maxTurns %s', async (maxTurns) => {
    const breaker = bareBreaker({ maxMessages: 6 });
    const conversations = new Set<string>();
    breaker.on('signal', ({ conversation }) => conversations.add(conversation));
    const { agent: thinking, client } = thinker('B', ['Let me see.']);
    const { isAsked, answer } = paused(client);
    const [slow, starter] = [speaker('A'), speaker('C', ['well', 'well', null as never])];
    const other = speaker('D');
    const guard = guardAgents([thinking, other], breaker);
    const first = slow.initiateChat(thinking, { message: 'hello', maxTurns: 1 });
    await isAsked;
    const run = () => starter.initiateChat(other, { message: 'hello', maxTurns });
    expect((await run()).stopKind).not.toBe('refused');
    answer();
    await first;
    expect([...conversations]).toEqual(['', 'run 2']);
    expect(guard.trip).toBeUndefined();
  });

  test('[GCP4] restart the declared limits, and are stopped as a whole', async () => {
    const breaker = bareBreaker({ maxMessages: 4 });
    const [unguarded, agent] = [speaker('A'), speaker('B')];
    const guard = guardAgents([agent], breaker);
    const chat = (maxTurns: number) => unguarded.initiateChat(agent, { message: 'hi', maxTurns });
    for (const _ of [1, 2, 3]) expect((await chat(1)).stopKind).toBe('max_turns');
    const { chatHistory, stopReason } = await chat(9);
    expect(stopReason).toContain('messages is reached (maxMessages)');
    expect(guard.trip?.evidence.count).toBe(4);
    expect(chatHistory.filter(({ name }) => name === 'B')).toHaveLength(2);
  });

  test('[GCP4] are nested in the turn that opens them', async () => {
    const breaker = bareBreaker();
    const signals = record(breaker);
    const [user, unguarded, helper] = [speaker('user'), speaker('A'), speaker('helper')];
    const asker = speaker('asker');
    asker.registerReply([() => true], async () => {
      await unguarded.initiateChat(helper, { message: 'Help!', maxTurns: 1 });
      return [true, 'done'];
    });
    guardAgents([user, asker, helper], breaker);
    await user.initiateChat(asker, { message: 'Go', maxTurns: 1 });
    expect(signals.map(({ kind, depth = 0 }) => `${kind} ${depth}`)).toEqual([
      'message 0',
      'nested-start 1',
      'message 1',
      'message 1',
      'nested-end 1',
      'message 0',
    ]);
  });
});

describe('the first message of an outermost chat', () => {
  async function opening(isMember: boolean, options: GuardOptions = {}) {
    const breaker = bareBreaker();
    const signals = record(breaker);
    const members = ['A', 'B'].map((name) => speaker(name));
    const { manager } = group(members, { maxRound: 1 });
    const user = speaker('user');
    guardAgents([...members, manager, user], breaker, options);
    await (isMember ? members[0] : user)?.initiateChat(manager, { message: 'hello' });
    return signals.map(({ at, ...signal }) => signal);
  }

  test('[GCS24] is a message by its author, who takes part', async () => {
    expect(await opening(true)).toEqual([{ kind: 'message', agent: 'A', text: 'hello' }]);
  });

  test('[GCS24] is the task of a group, if it comes from outside', async () => {
    const task = { kind: 'human-input', agent: 'user', text: 'hello', isAutomatic: true };
    expect(await opening(false)).toEqual([task]);
  });

  test('[GCS24] is the task of a program, if an agent without a model gives it to one with a model', async () => {
    const breaker = bareBreaker();
    const signals = record(breaker);
    const user = speaker('user');
    const { agent: clerk } = thinker('clerk', ['hi']);
    guardAgents([user, clerk], breaker);
    await user.initiateChat(clerk, { message: 'hello', maxTurns: 1 });
    expect(signals[0]).toMatchObject({ kind: 'human-input', agent: 'user', isAutomatic: true });
    expect(ofKind(signals, 'message').map(({ agent }) => agent)).toEqual(['clerk']);
  });

  test('[GCS24] is the input of a person where that is declared', async () => {
    const task = { kind: 'human-input', agent: 'A', text: 'hello' };
    expect(await opening(true, { isTaskFromPerson: true })).toEqual([task]);
  });
});

describe('chats side by side whose model calls have no known size', () => {
  const prices = { price: () => ({ nanoUsd: 1_000_000_000 }) };
  const CALLS = 20;

  async function together(budget: BudgetOptions, counter?: typeof NO_COUNTER) {
    const breaker = bareBreaker({ budget });
    const client = new CountingClient(CALLS);
    const stopped = await Promise.all(
      Array.from({ length: CALLS }, async (_, i) => {
        const [asker, clerk] = [speaker('asker'), speaker('clerk', '', { llmConfig: { client } })];
        guardAgents([asker, clerk], breaker, {
          prices,
          judge: false,
          onError() {},
          ...(counter && { counter }),
        });
        const { stopReason } = await asker.initiateChat(clerk, { message: `${i}?`, maxTurns: 1 });
        return stopReason;
      }),
    );
    return { client, reasons: new Set(stopped), ...breaker.cost };
  }

  test.each([{ maxUsd: 5 }, { maxTokens: 5_000 }])(
    '[BUD20] make one at a time, up to the limit, where calls wait: %j',
    async (budget) => {
      const { client, tokens } = await together({ ...budget, whenFull: 'wait' }, NO_COUNTER);
      expect(client.atOnce).toBe(1);
      expect(client.made).toBe(5);
      expect(tokens).toBe(5_000);
    },
  );

  test.each([{ maxUsd: 5 }, { maxTokens: 5_000 }])(
    '[BUD20] make one, and no second beside it: %j',
    async (budget) => {
      const { client, reasons } = await together(budget, NO_COUNTER);
      expect(client.made).toBe(1);
      expect([...reasons].join()).toContain('are both of unknown size');
    },
  );

  test('[BUD20] make them all at once where their size is known', async () => {
    const { client, nanoUsd } = await together({ maxUsd: 50 });
    expect(client.atOnce).toBe(CALLS);
    expect(nanoUsd).toBe(20_000_000_000);
  });
});
