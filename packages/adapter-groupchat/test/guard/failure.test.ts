import { Breaker, type BudgetStore, type Conversation } from '@teamfuse/core';
import { type Detector, NO_DETECTORS } from '@teamfuse/core/detectors';
import { describe, expect, test } from 'vitest';
import { type GuardProblem, guardAgents } from '../../src/index.ts';
import { speaker, thinker } from '../support/agents.ts';
import { bareBreaker } from '../support/bare-breaker.ts';
import { SaidDetector } from '../support/said-detector.ts';
import { record, said } from '../support/signals.ts';

/** Fails on every message. */
class BrokenDetector extends SaidDetector implements Detector {
  override observe(): never {
    throw new Error('detector out of order');
  }
}

/** A breaker that fails when it is asked. */
class MuteBreaker extends Breaker {
  override conversation(id: string): Conversation {
    const admit = (): never => {
      throw new Error('nobody at the gate');
    };
    return Object.assign(super.conversation(id), { admit });
  }
}

describe('a guard that fails', () => {
  test('[GCF1] lets the run go on when something cannot be observed, and tells', async () => {
    const problems: GuardProblem[] = [];
    const breaker = bareBreaker({ detectors: [() => new BrokenDetector('')] });
    const [a, b] = [speaker('A'), speaker('B')];
    guardAgents([a, b], breaker, { onError: (problem) => problems.push(problem) });
    const { chatHistory } = await a.initiateChat(b, { message: 'hello', maxTurns: 2 });
    expect(chatHistory).toHaveLength(4);
    expect(problems).toHaveLength(4);
    expect(problems[0]).toEqual({ during: 'breaker', error: new Error('detector out of order') });
  });

  test('[GCF1] tells of a malformed signal by its field', async () => {
    const problems: GuardProblem[] = [];
    const executor = { executeCodeBlocks: async () => ({ exitCode: 0.5, output: '' }) };
    const runner = speaker('runner', '', { codeExecutionConfig: { executor } });
    guardAgents([runner], bareBreaker(), { onError: (problem) => problems.push(problem) });
    await speaker('B').initiateChat(runner, { message: '```sh\nls\n```', maxTurns: 1 });
    expect(problems.map(({ error }) => (error as Error).message)).toEqual([
      'signal.exitCode: expected a whole number, or null, received 0.5',
    ]);
  });

  test('[GCF2] lets the run go on when it cannot ask, and tells', async () => {
    const problems: GuardProblem[] = [];
    const { agent: a, client } = thinker('A', ['one', 'two']);
    guardAgents([a], new MuteBreaker(), { onError: (problem) => problems.push(problem) });
    await speaker('B').initiateChat(a, { message: 'hello', maxTurns: 2 });
    expect(client.calls).toHaveLength(2);
    expect(problems.every(({ during }) => during === 'admit')).toBe(true);
    expect(problems).toHaveLength(4);
  });

  test('[GCF2] asks nevertheless when prices and counts fail', async () => {
    const problems: GuardProblem[] = [];
    const fail = (): never => {
      throw new Error('no table');
    };
    const usage = { promptTokens: 1.5, completionTokens: 1 };
    const { agent: a, client } = thinker('A', [{ content: 'one', usage }, 'two', 'three']);
    const breaker = bareBreaker({ budget: { maxTokens: 20 } });
    guardAgents([a, speaker('B')], breaker, {
      prices: { price: fail },
      counter: { countMessages: fail },
      onError: (problem) => problems.push(problem),
    });
    await speaker('B').initiateChat(a, { message: 'hello', maxTurns: 3 });
    expect(breaker.conversation().trip?.kind).toBe('budget');
    expect(client.calls.length).toBeLessThan(3);
    expect(new Set(problems.map(({ error }) => (error as Error).message))).toEqual(
      new Set(['no table']),
    );
  });

  test('[GCF6] does not spend money that nobody can account for', async () => {
    const problems: GuardProblem[] = [];
    const store: BudgetStore = {
      reserve: () => Promise.reject(new Error('store out of reach')),
      settle: () => Promise.reject(new Error('store out of reach')),
      totals: () => Promise.reject(new Error('store out of reach')),
    };
    for (const onTrip of ['terminate', 'reply', 'throw'] as const) {
      const { agent: a, client } = thinker('A', ['one']);
      const b = speaker('B');
      const breaker = bareBreaker({ budget: { maxTokens: 1_000, store } });
      guardAgents([a, b], breaker, { onTrip, onError: (problem) => problems.push(problem) });
      const end = await b
        .initiateChat(a, { message: 'hello', maxTurns: 1 })
        .then(({ stopReason }) => stopReason, String);
      expect(client.calls).toEqual([]);
      const reason =
        'the budget could not be checked: budget store: reserve failed: store out of reach';
      expect(end).toBe(onTrip === 'throw' ? `TrippedError: ${reason}` : reason);
      expect(breaker.conversation().state.status).toBe('closed');
    }
    const problem = {
      during: 'breaker',
      error: { code: 'BUDGET_STORE', member: 'reserve' },
    };
    expect(problems).toMatchObject([problem, problem, problem]);
  });

  test('[GCF3] refuses nevertheless where a run has been ended', async () => {
    const breaker = new MuteBreaker({ ...NO_DETECTORS, maxMessages: 2 });
    const [a, b] = [speaker('A'), speaker('B')];
    guardAgents([a, b], breaker, { onError: () => {} });
    const { chatHistory } = await a.initiateChat(b, { message: 'hello', maxTurns: 9 });
    expect(chatHistory).toHaveLength(2);
  });

  test('[GCF4] is not taken down by its error handler', async () => {
    const breaker = bareBreaker({ detectors: [() => new BrokenDetector('')] });
    const [a, b] = [speaker('A'), speaker('B')];
    const onError = () => {
      throw new Error('handler out of order');
    };
    guardAgents([a, b], breaker, { onError });
    const { chatHistory } = await a.initiateChat(b, { message: 'hello', maxTurns: 1 });
    expect(chatHistory).toHaveLength(2);
  });

  test('[GCF4] is not taken down by listeners of the breaker', async () => {
    const breaker = bareBreaker({ maxMessages: 3 });
    const signals = record(breaker);
    for (const event of ['signal', 'finding', 'trip', 'state'] as const) {
      breaker.on(event, () => {
        throw new Error('listener out of order');
      });
    }
    const [a, b] = [speaker('A'), speaker('B')];
    guardAgents([a, b], breaker);
    const { stopReason } = await a.initiateChat(b, { message: 'hello' });
    expect(said(signals)).toHaveLength(3);
    expect(stopReason).toBe(breaker.conversation().trip?.reason);
  });

  test('[GCF5] does not change what it watches', async () => {
    const breaker = bareBreaker();
    const [a, b] = [speaker('A'), speaker('B')];
    const frozen = Object.freeze({ content: 'hello', role: 'user' });
    guardAgents([a, b], breaker);
    const messages = Object.freeze([frozen]) as never;
    expect(await b.generateReply({ messages, sender: a })).toBe('I am B');
  });
});
