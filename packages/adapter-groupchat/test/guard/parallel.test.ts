import type { BreakerOptions } from '@teamfuse/core';
import { describe, expect, test } from 'vitest';
import { guardAgents } from '../../src/index.ts';
import { group, speaker, thinker } from '../support/agents.ts';
import { bareBreaker } from '../support/bare-breaker.ts';
import { paused } from '../support/gate.ts';

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
    expect(seen.toSorted()).toEqual([
      ': A1 hello',
      ': B1 I am B1',
      'run 2: A2 hello',
      'run 2: B2 I am B2',
    ]);
  });

  test('[GCP2] are stopped one by one', async () => {
    const { chat } = pairs(guards, { stopTexts: [{ text: 'I am A1' }] });
    const [first, second] = await chat(5);
    expect(first?.stopReason).toContain("stop text 'I am A1'");
    expect(first?.chatHistory).toHaveLength(3);
    expect(second?.stopReason).toBeNull();
    expect(second?.chatHistory).toHaveLength(10);
  });

  test('[GCP3] share one circuit with the scope of the breaker', async () => {
    const { chat } = pairs(guards, { stopTexts: [{ text: 'I am A1' }], scope: 'breaker' });
    for (const { stopReason } of await chat(5)) {
      expect(stopReason).toContain("stop text 'I am A1'");
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

describe('the first message of an outermost chat', () => {
  test('[GCS24] is a message by its author', async () => {
    const breaker = bareBreaker();
    const kinds: string[] = [];
    breaker.on('signal', ({ signal }) => kinds.push(`${signal.kind} ${signal.agent}`));
    const members = ['A', 'B'].map((name) => speaker(name));
    const { manager } = group(members, { maxRound: 1 });
    guardAgents([...members, manager], breaker);
    await members[0]?.initiateChat(manager, { message: 'hello' });
    expect(kinds).toEqual(['message A']);
  });
});
