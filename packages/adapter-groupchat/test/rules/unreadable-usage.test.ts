import { MemoryBudgetStore } from '@teamfuse/core';
import { describe, expect, test } from 'vitest';
import { reporting, UNREADABLE } from '../../../models/test/support/usage-server.ts';
import { guardAgents } from '../../src/index.ts';
import { speaker } from '../support/agents.ts';
import { bareBreaker } from '../support/bare-breaker.ts';
import { ofKind, record } from '../support/signals.ts';

/** The tokens of "Done.", by its length. */
const ANSWER_TOKENS = 2;

describe('a model server that cannot be read', () => {
  test.each(UNREADABLE)(
    '[GCB7] counts as its prompt and what it said: it reports %s',
    async (_, usage) => {
      await using server = await reporting(usage);
      const store = new MemoryBudgetStore();
      const breaker = bareBreaker({ budget: { maxUsd: 1, store } });
      const signals = record(breaker);
      const agent = speaker('A', '', { llmConfig: { client: server.client } });
      guardAgents([agent], breaker);
      await speaker('B').initiateChat(agent, { message: 'hello', maxTurns: 1 });
      const [request] = ofKind(signals, 'model-request');
      const inputTokens = request?.inputTokens ?? 0;
      const tokens = inputTokens + ANSWER_TOKENS;
      const nanoUsd = Math.round(1.1 * (inputTokens * 2_500 + ANSWER_TOKENS * 10_000));
      expect(breaker.cost).toEqual({ nanoUsd, tokens, unpricedTokens: 0, isEstimate: true });
      expect(store.totals()).toEqual({
        spent: { nanoUsd, tokens },
        reserved: { nanoUsd: 0, tokens: 0 },
      });
      expect(breaker.conversation().trip).toBeUndefined();
    },
  );

  test.each(UNREADABLE)('[GCB7] ends a budget all the same: it reports %s', async (_, usage) => {
    await using server = await reporting(usage);
    const breaker = bareBreaker({ budget: { maxUsd: 0.003 } });
    const agent = speaker('A', '', { llmConfig: { client: server.client } });
    guardAgents([agent, speaker('B')], breaker);
    await speaker('B').initiateChat(agent, { message: 'hello', maxTurns: 50 });
    expect(breaker.conversation().trip?.kind).toBe('budget');
    expect(breaker.cost.nanoUsd).toBeLessThanOrEqual(3_000_000);
    expect(breaker.counters.modelCalls).toBeLessThan(50);
  });

  test('[GCB7] is read to the token where it can be', async () => {
    await using server = await reporting({ prompt_tokens: 100, completion_tokens: 20 });
    const breaker = bareBreaker({ budget: { maxUsd: 1 } });
    const agent = speaker('A', '', { llmConfig: { client: server.client } });
    guardAgents([agent], breaker);
    await speaker('B').initiateChat(agent, { message: 'hello', maxTurns: 1 });
    expect(breaker.cost).toEqual({
      nanoUsd: 450_000,
      tokens: 120,
      unpricedTokens: 0,
      isEstimate: false,
    });
  });
});
