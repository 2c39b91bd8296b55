import { describe, expect, it } from 'vitest';
import { Breaker, type BreakerOptions, explain, type Trip } from '../../src/index.ts';
import { modelRequest } from '../support/signals.ts';

const CALL = /breaker\.raise\(.*?\}\)/g;

/** Runs a line of advice. */
function follow(line: string, breaker: Breaker): void {
  new Function('breaker', line)(breaker);
}

describe('the advice on a budget', () => {
  it.each<[string, BreakerOptions['budget'], string]>([
    ['the whole budget', { maxUsd: 1 }, 'critic'],
    ['less than a cent', { maxUsd: 0.000_002 }, 'critic'],
    ['tokens', { maxTokens: 10 }, 'critic'],
    ['each agent', { perAgent: { maxUsd: 1 } }, 'critic'],
    ['one agent', { maxUsd: 9, agents: { critic: { maxUsd: 1 } } }, 'critic'],
    ['an agent of a strange name', { perAgent: { maxUsd: 1 } }, "a'}) && stop() //"],
    ['a model', { models: { m: { maxTokens: 10 } } }, 'critic'],
    ['a conversation', { perConversation: { maxUsd: 1 } }, 'critic'],
    ['a day', { perDay: { maxUsd: 1 } }, 'critic'],
    ["a user's month", { perUser: { maxUsd: 9, perMonth: { maxUsd: 1 } } }, 'critic'],
    ["a team's tokens of a day", { teams: { law: { perDay: { maxTokens: 10 } } } }, 'critic'],
    ['what is kept back', { maxUsd: 2, reserveUsd: 1 }, 'critic'],
  ])('[EXP9] of `explain` lets the team go on: %s', (_, budget, agent) => {
    const breaker = new Breaker({ ...(budget && { budget }) });
    const whose = { agent, user: 'ann', team: 'law' };
    const call = modelRequest({ ...whose, inputTokens: 12, estimatedCostUsd: 1.5 });
    expect(breaker.admit(call)).toMatchObject({ isAdmitted: false });
    const [line = 'none'] = explain(breaker.conversation().trip as Trip).match(CALL) ?? [];
    follow(line, breaker);
    expect(breaker.conversation().trip).toBeUndefined();
    expect(breaker.admit(call)).toMatchObject({ isAdmitted: true });
  });

  it('[EXP9] does not tell to raise a limit that was not reached', () => {
    const breaker = new Breaker({ budget: { maxUsd: 1 } });
    breaker.admit(modelRequest());
    breaker.admit(modelRequest());
    expect(explain(breaker.conversation().trip as Trip)).toContain('set what the reason names');
  });
});
