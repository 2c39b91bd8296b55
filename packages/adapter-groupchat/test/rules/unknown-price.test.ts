import type { BreakerOptions } from '@teamfuse/core';
import { describe, expect, test } from 'vitest';
import { reporting } from '../../../models/test/support/usage-server.ts';
import { type GuardOptions, guardAgents } from '../../src/index.ts';
import { speaker } from '../support/agents.ts';
import { bareBreaker } from '../support/bare-breaker.ts';

const USAGE = { prompt_tokens: 100, completion_tokens: 20 };
const MODEL = 'my-deployment';

describe('a model whose price nobody knows', () => {
  /** Lets an agent answer once; says how many requests were made, and why it was stopped. */
  async function run(
    budget: BreakerOptions['budget'] & object,
    options: GuardOptions = {},
    llm: object = {},
  ) {
    await using server = await reporting(USAGE, MODEL);
    const breaker = bareBreaker({ budget });
    const agent = speaker('A', '', { llmConfig: { client: server.client, ...llm } });
    guardAgents([agent], breaker, options);
    await speaker('B').initiateChat(agent, { message: 'hello', maxTurns: 1 });
    return { breaker, requests: server.requests };
  }

  test('[GCB10] is not called on a budget in dollars: the reason names three ways out', async () => {
    const { breaker, requests } = await run({ maxUsd: 5 });
    expect(requests).toBe(0);
    expect(breaker.cost).toMatchObject({ nanoUsd: 0, tokens: 0 });
    expect(breaker.conversation().trip?.reason).toBe(
      "the price of model 'my-deployment' is unknown, so a budget of $5.00 cannot be enforced: set its price (prices), name a model with a known price (models), or limit tokens (budget.maxTokens)",
    );
  });

  test.each<[string, GuardOptions, object]>([
    ['its price', { prices: { price: () => ({ nanoUsd: 450_000 }) } }, {}],
    ['its price in the configuration', {}, { price: [0.0025, 0.01] }],
    ['a model of known price', { models: 'gpt-4o' }, {}],
    ['that of each agent', { models: { A: 'gpt-4o' } }, {}],
  ])('[GCB10] is called once there is %s', async (_, options, llm) => {
    const { breaker, requests } = await run({ maxUsd: 5 }, options, llm);
    expect(requests).toBe(1);
    expect(breaker.conversation().trip).toBeUndefined();
    expect(breaker.cost).toMatchObject({ nanoUsd: 450_000, tokens: 120, unpricedTokens: 0 });
  });

  test('[GCB10] is called on a budget in tokens, and counts in tokens', async () => {
    const { breaker, requests } = await run({ maxUsd: 5, maxTokens: 5000 });
    expect(requests).toBe(1);
    expect(breaker.cost).toMatchObject({ nanoUsd: 0, tokens: 120, unpricedTokens: 120 });
  });
});
