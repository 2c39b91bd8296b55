import { AssistantAgent, RoundRobinGroupChat } from '@teamfuse/agentchat';
import { Breaker, type BreakerOptions } from '@teamfuse/core';
import { describe, expect, it } from 'vitest';
import { reporting } from '../../../models/test/support/usage-server.ts';
import { BreakerTermination, type GuardOptions, guardTeam } from '../../src/index.ts';

const USAGE = { prompt_tokens: 100, completion_tokens: 20 };
const MODEL = 'my-deployment';

describe('a model whose price nobody knows', () => {
  /** Lets a team of one agent answer once; says how many requests were made, and why it was stopped. */
  async function run(budget: BreakerOptions['budget'] & object, options: GuardOptions = {}) {
    await using server = await reporting(USAGE, MODEL);
    const breaker = new Breaker({ budget });
    const agent = new AssistantAgent('bot', { modelClient: server.client });
    const team = new RoundRobinGroupChat([agent], { maxTurns: 1 });
    guardTeam(team, breaker, options);
    const { stopReason } = await team.run({ task: 'Go' });
    return { breaker, stopReason, requests: server.requests };
  }

  it('[UNP1] is not called on a budget in dollars: the reason names three ways out', async () => {
    const { breaker, stopReason, requests } = await run({ maxUsd: 5 });
    expect(requests).toBe(0);
    expect(breaker.cost).toMatchObject({ nanoUsd: 0, tokens: 0 });
    expect(stopReason).toBe(
      "the price of model 'my-deployment' is unknown, so a budget of $5.00 cannot be enforced: set its price (prices), name a model with a known price (models), or limit tokens (budget.maxTokens)",
    );
  });

  it.each<[string, BreakerOptions['budget'] & object, GuardOptions]>([
    ['its price', { maxUsd: 5 }, { prices: { price: () => ({ nanoUsd: 450_000 }) } }],
    ['a model of known price', { maxUsd: 5 }, { models: 'gpt-4o' }],
    ['that of each agent', { maxUsd: 5 }, { models: { bot: 'gpt-4o' } }],
  ])('[UNP1] is called once there is %s', async (_, budget, options) => {
    const { breaker, requests } = await run(budget, options);
    expect(requests).toBe(1);
    expect(breaker.conversation().trip).toBeUndefined();
    expect(breaker.cost).toMatchObject({ nanoUsd: 450_000, tokens: 120, unpricedTokens: 0 });
  });

  it('[UNP1] is called on a budget in tokens, and counts in tokens', async () => {
    const { breaker, requests } = await run({ maxUsd: 5, maxTokens: 5000 });
    expect(requests).toBe(1);
    expect(breaker.conversation().trip).toBeUndefined();
    expect(breaker.cost).toMatchObject({ nanoUsd: 0, tokens: 120, unpricedTokens: 120 });
  });

  it('[UNP1] is not called where another agent is declared to have a known price', async () => {
    expect(await run({ maxUsd: 5 }, { models: { critic: 'gpt-4o' } })).toMatchObject({
      requests: 0,
    });
  });

  it('[UNP1] is not seen by a condition alone: the reason names guardTeam', async () => {
    await using server = await reporting(USAGE, MODEL);
    const agent = new AssistantAgent('bot', { modelClient: server.client });
    const terminationCondition = new BreakerTermination(new Breaker({ budget: { maxUsd: 5 } }));
    const team = new RoundRobinGroupChat([agent], { terminationCondition });
    expect((await team.run({ task: 'Go' })).stopReason).toBe(
      'the model of bot is unknown, so a budget of $5.00 cannot be enforced: name it (models), guard the team so that its model calls are seen (guardTeam), or limit tokens (budget.maxTokens)',
    );
  });
});
