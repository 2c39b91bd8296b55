import { AssistantAgent, RoundRobinGroupChat } from '@teamfuse/agentchat';
import { Breaker, MemoryBudgetStore } from '@teamfuse/core';
import { describe, expect, it } from 'vitest';
import { reporting, UNREADABLE } from '../../../models/test/support/usage-server.ts';
import { guardTeam } from '../../src/guard/guard-team.ts';
import { BreakerTermination } from '../../src/index.ts';
import { ofKind, recorded } from '../support/signals.ts';

/** The tokens of "Done.", by its length. */
const ANSWER_TOKENS = 2;

describe('a model server that cannot be read', () => {
  it.each(UNREADABLE)(
    '[MDL5] counts as its prompt and what it said: it reports %s',
    async (_, usage) => {
      await using server = await reporting(usage);
      const store = new MemoryBudgetStore();
      const breaker = new Breaker({ budget: { maxUsd: 1, store } });
      const signals = recorded(breaker);
      const agent = new AssistantAgent('bot', { modelClient: server.client });
      const team = new RoundRobinGroupChat([agent], { maxTurns: 1 });
      guardTeam(team, breaker);
      await team.run({ task: 'Go' });
      const [request] = ofKind(signals, 'model-request') as [Record<string, number>];
      const inputTokens = request.inputTokens as number;
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

  it.each(UNREADABLE)('[MDL5] ends a budget all the same: it reports %s', async (_, usage) => {
    await using server = await reporting(usage);
    const breaker = new Breaker({
      budget: { maxUsd: 0.003 },
      historyDrift: false,
      repetition: false,
      speakerCycle: false,
    });
    const agents = ['a', 'b'].map(
      (name) => new AssistantAgent(name, { modelClient: server.client }),
    );
    const team = new RoundRobinGroupChat(agents, { maxTurns: 50 });
    guardTeam(team, breaker);
    const { stopReason } = await team.run({ task: 'Go' });
    expect(breaker.conversation().trip?.kind).toBe('budget');
    expect(stopReason).toBe(breaker.conversation().trip?.reason);
    expect(breaker.cost.nanoUsd).toBeLessThanOrEqual(3_000_000);
    expect(breaker.counters.modelCalls).toBeLessThan(30);
  });

  it.each(UNREADABLE)(
    '[MAP13] trips a budget in dollars where only a condition watches: it reports %s',
    async (_, usage) => {
      await using server = await reporting(usage);
      const breaker = new Breaker({ budget: { maxUsd: 1 } });
      const agent = new AssistantAgent('bot', { modelClient: server.client });
      const terminationCondition = new BreakerTermination(breaker);
      const team = new RoundRobinGroupChat([agent], { maxTurns: 5, terminationCondition });
      await team.run({ task: 'Go' });
      expect(breaker.conversation().trip?.kind).toBe('budget');
      expect(breaker.counters.modelCalls).toBe(1);
    },
  );
});
