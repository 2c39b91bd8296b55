import { RoundRobinGroupChat, TextMessage } from '@teamfuse/agentchat';
import { Breaker, type BudgetStore } from '@teamfuse/core';
import { describe, expect, it } from 'vitest';
import { guardTeam } from '../../src/guard/guard-team.ts';
import type { GuardProblem } from '../../src/index.ts';
import { assistant, callsTool, Speaker, tool } from '../support/agents.ts';
import { alarm } from '../support/alarm.ts';

/** A message whose text nobody can read, once it is said. */
class Unreadable extends Speaker {
  override async onMessages(): ReturnType<Speaker['onMessages']> {
    const chatMessage = new TextMessage({ content: 'x', source: this.name });
    let reads = 0;
    chatMessage.toText = () => {
      if (reads++ === 0) throw new Error('cannot be read');
      return 'x';
    };
    return { chatMessage };
  }
}

function problems() {
  const seen: GuardProblem[] = [];
  return { seen, onError: (problem: GuardProblem) => void seen.push(problem) };
}

describe('a guard that fails', () => {
  it('[SAFE1] to observe something reports it, and the run goes on', async () => {
    const { seen, onError } = problems();
    const team = new RoundRobinGroupChat([new Unreadable('a', () => '')], { maxTurns: 2 });
    guardTeam(team, new Breaker(), { onError });
    const { stopReason } = await team.run({ task: 'Go' });
    expect(stopReason).toBe('Maximum number of turns 2 reached.');
    expect(seen).toMatchObject([
      { during: 'observe', error: { message: 'cannot be read' } },
      { during: 'observe' },
    ]);
  });

  it('[SAFE1] to count or price a call makes the call without an estimate', async () => {
    const { seen, onError } = problems();
    const usage = { promptTokens: 7, completionTokens: 3 };
    const { agent } = assistant('bot', [{ content: 'Hello', usage }]);
    const team = new RoundRobinGroupChat([agent], { maxTurns: 1 });
    const fail = () => {
      throw new Error('no idea');
    };
    const breaker = new Breaker();
    guardTeam(team, breaker, {
      onError,
      counter: { countMessages: fail },
      prices: { price: fail },
    });
    const { messages } = await team.run({ task: 'Go' });
    expect(messages.at(-1)?.toText()).toBe('Hello');
    expect(seen).toHaveLength(2);
    expect(breaker.cost).toMatchObject({ tokens: 10, unpricedTokens: 10 });
  });

  it.each([Number.NaN, -1, 0.5])(
    '[SAFE1] to make sense of a count of %d keeps the budget without it',
    async (nonsense) => {
      const { seen, onError } = problems();
      const usage = { promptTokens: 7, completionTokens: 3 };
      const { agent } = assistant('bot', [{ content: 'Hello', usage }]);
      const team = new RoundRobinGroupChat([agent], { maxTurns: 1 });
      const breaker = new Breaker({ budget: { maxTokens: 5 } });
      guardTeam(team, breaker, { onError, counter: { countMessages: () => nonsense } });
      await team.run({ task: 'Go' });
      expect(seen).toMatchObject([
        { error: { message: expect.stringContaining('counter.countMessages: expected') } },
      ]);
      expect(breaker.conversation().trip?.kind).toBe('budget');
    },
  );

  it('[SAFE1] to make sense of a price counts the tokens as unpriced', async () => {
    const { seen, onError } = problems();
    const usage = { promptTokens: 7, completionTokens: 3 };
    const { agent } = assistant('bot', [{ content: 'Hello', usage }]);
    const team = new RoundRobinGroupChat([agent], { maxTurns: 1 });
    const breaker = new Breaker();
    guardTeam(team, breaker, { onError, prices: { price: () => ({ nanoUsd: Number.NaN }) } });
    await team.run({ task: 'Go' });
    // Before the call and after it.
    const told = { error: { message: expect.stringContaining('prices.price: expected') } };
    expect(seen).toMatchObject([told, told]);
    expect(breaker.cost).toMatchObject({ tokens: 10, unpricedTokens: 10 });
  });

  it('[SAFE1] to word a warning reports it, and the run goes on', async () => {
    const { seen, onError } = problems();
    const team = new RoundRobinGroupChat([new Speaker('a', () => 'hm')], { maxTurns: 2 });
    guardTeam(team, new Breaker({ detectors: [() => alarm('hm', 'warn')] }), {
      onError,
      nudge: () => {
        throw new Error('speechless');
      },
    });
    await team.run({ task: 'Go' });
    expect(seen).toMatchObject([{ during: 'warn', error: { message: 'speechless' } }]);
  });

  it('[SAFE2] lets a step pass that it could not ask for, unless the breaker is open', async () => {
    const { seen, onError } = problems();
    const breaker = new Breaker();
    Object.assign(breaker.conversation(''), {
      admit: (): never => {
        throw new Error('a bug');
      },
    });
    const { agent, model } = assistant('bot', ['one', 'two']);
    const team = new RoundRobinGroupChat([agent], { maxTurns: 1 });
    guardTeam(team, breaker, { onError });
    await team.run({ task: 'Go' });
    expect(model.calls).toHaveLength(1);
    expect(seen).toMatchObject([{ during: 'admit' }, { during: 'admit' }]);
    breaker.stop('closed');
    expect((await team.run({ task: 'Go' })).stopReason).toBe('closed');
    expect(model.calls).toHaveLength(1);
  });

  it('[SAFE3] refuses a call that the store of the budget cannot be asked about', async () => {
    const store: BudgetStore = {
      reserve: () => Promise.reject(new Error('store is down')),
      settle: () => Promise.reject(new Error('store is down')),
      totals: () => Promise.reject(new Error('store is down')),
    };
    const { agent, model } = assistant('bot', ['Hello']);
    const team = new RoundRobinGroupChat([agent]);
    const breaker = new Breaker({ budget: { maxTokens: 1000, store } });
    const problems: GuardProblem[] = [];
    guardTeam(team, breaker, { onError: (problem) => problems.push(problem) });
    const { stopReason } = await team.run({ task: 'Go' });
    expect(stopReason).toBe(
      'the budget could not be checked: budget store: reserve failed: store is down',
    );
    expect(problems).toMatchObject([{ during: 'breaker', error: { code: 'BUDGET_STORE' } }]);
    expect(model.calls).toHaveLength(0);
    expect(breaker.conversation().state.status).toBe('closed');
  });

  it('[SAFE4] by a listener that throws neither breaks the run nor hides the trip', async () => {
    const breaker = new Breaker({ maxMessages: 2 });
    for (const event of ['signal', 'finding', 'trip', 'state'] as const) {
      breaker.on(event, () => {
        throw new Error('pager is down');
      });
    }
    const team = new RoundRobinGroupChat([new Speaker('a', (turn) => `a${turn}`)]);
    guardTeam(team, breaker);
    expect((await team.run({ task: 'Go' })).stopReason).toBe(breaker.conversation().trip?.reason);
  });

  it('[SAFE5] by a handler that throws harms nobody', async () => {
    const team = new RoundRobinGroupChat([new Unreadable('a', () => '')], { maxTurns: 1 });
    guardTeam(team, new Breaker(), {
      onError: () => {
        throw new Error('log is full');
      },
    });
    expect((await team.run({ task: 'Go' })).messages).toHaveLength(2);
  });
});

describe('a tool', () => {
  it('[SAFE6] that fails is told with its error, and the model reads it as ever', async () => {
    const breaker = new Breaker();
    const errors: unknown[] = [];
    breaker.on('signal', ({ signal }) => {
      if (signal.kind === 'tool-call') errors.push(signal.error);
    });
    const broken = tool('look', () => {
      throw new Error('too dark');
    });
    const { agent, model } = assistant('bot', [callsTool('look'), 'I see'], {
      tools: [broken],
      maxToolIterations: 2,
    });
    const team = new RoundRobinGroupChat([agent], { maxTurns: 1 });
    guardTeam(team, breaker);
    await team.run({ task: 'Go' });
    expect(errors).toEqual([{ message: 'too dark' }]);
    expect(model.calls[1]?.messages.at(-1)?.content).toMatchObject([
      { content: 'too dark', isError: true },
    ]);
  });
});
