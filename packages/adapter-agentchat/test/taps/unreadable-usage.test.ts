import { AssistantAgent, RoundRobinGroupChat } from '@teamfuse/agentchat';
import { Breaker, MemoryBudgetStore } from '@teamfuse/core';
import { describe, expect, it } from 'vitest';
import { reporting, UNREADABLE } from '../../../models/test/support/usage-server.ts';
import { guardTeam } from '../../src/guard/guard-team.ts';
import { BreakerTermination } from '../../src/index.ts';
import { ofKind, recorded } from '../support/signals.ts';

describe('a model server that cannot be read', () => {
  it.each(UNREADABLE)('[MDL5] counts as it was reserved: it reports %s', async (_, usage) => {
    await using server = await reporting(usage);
    const store = new MemoryBudgetStore();
    const breaker = new Breaker({ budget: { maxUsd: 1, store } });
    const signals = recorded(breaker);
    const agent = new AssistantAgent('bot', { modelClient: server.client });
    const team = new RoundRobinGroupChat([agent], { maxTurns: 1 });
    guardTeam(team, breaker);
    await team.run({ task: 'Go' });
    const [request] = ofKind(signals, 'model-request') as [Record<string, number>];
    const reserved = Math.round((request.estimatedCostUsd as number) * 1e9);
    expect(reserved).toBeGreaterThan(10_000_000);
    expect(breaker.cost).toEqual({
      nanoUsd: reserved,
      tokens: request.inputTokens,
      unpricedTokens: 0,
      isEstimate: true,
    });
    expect(store.totals()).toEqual({
      spent: { nanoUsd: reserved, tokens: request.inputTokens },
      reserved: { nanoUsd: 0, tokens: 0 },
    });
    expect(breaker.conversation().trip).toBeUndefined();
  });

  it.each(UNREADABLE)('[MDL5] ends a budget all the same: it reports %s', async (_, usage) => {
    await using server = await reporting(usage);
    const breaker = new Breaker({
      budget: { maxUsd: 0.05 },
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
    expect(breaker.cost.nanoUsd).toBeLessThanOrEqual(50_000_000);
    expect(breaker.counters.modelCalls).toBeLessThan(6);
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
