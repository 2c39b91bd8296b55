import { AssistantAgent, RoundRobinGroupChat } from '@teamfuse/agentchat';
import { Breaker } from '@teamfuse/core';
import { describe, expect, it } from 'vitest';
import { streaming } from '../../../models/test/support/streaming-server.ts';
import { guardTeam } from '../../src/guard/guard-team.ts';
import { counter, PRICE, testCutStreams } from '../support/cut-streams.ts';

describe('answers that are cut off', () => {
  testCutStreams(12);

  it('[MDL7] end a budget', async () => {
    await using server = await streaming(() => [1_000, 'breaks']);
    const breaker = new Breaker({ budget: { maxUsd: 0.08 } });
    const trips: unknown[] = [];
    breaker.on('trip', (trip) => trips.push(trip));
    let runs = 0;
    for (; runs < 20 && trips.length === 0; runs++) {
      const options = { modelClient: server.client, modelClientStream: true };
      const team = new RoundRobinGroupChat([new AssistantAgent('writer', options)], {
        maxTurns: 1,
      });
      const guard = guardTeam(team, breaker, { counter, judge: false });
      await team.run({ task: `Tell me story number ${runs}.` }).catch(() => {});
      guard.uninstall();
    }
    const { inputTokens, outputTokens } = server.served;
    expect(trips).toMatchObject([{ kind: 'budget' }]);
    expect(PRICE.input * inputTokens + PRICE.output * outputTokens).toBeLessThanOrEqual(80_000_000);
    expect(runs).toBe(8);
  });

  it('[MDL7] cost what their provider reports where they end', async () => {
    await using server = await streaming(() => [500, 'ends']);
    const breaker = new Breaker({ budget: { maxUsd: 50 } });
    const options = { modelClient: server.client, modelClientStream: true };
    const team = new RoundRobinGroupChat([new AssistantAgent('writer', options)], { maxTurns: 1 });
    guardTeam(team, breaker, { counter, judge: false });
    await team.run({ task: 'Tell me a story.' });
    const { inputTokens, outputTokens } = server.served;
    expect(breaker.cost).toEqual({
      nanoUsd: PRICE.input * inputTokens + PRICE.output * outputTokens,
      tokens: inputTokens + outputTokens,
      unpricedTokens: 0,
      isEstimate: false,
    });
  });

  it('[MDL7] are booked as what was served where they end without usage', async () => {
    await using server = await streaming(() => [3_000, 'ends'], false);
    const breaker = new Breaker({ budget: { maxUsd: 50 } });
    const options = { modelClient: server.client, modelClientStream: true };
    const team = new RoundRobinGroupChat([new AssistantAgent('writer', options)], { maxTurns: 1 });
    guardTeam(team, breaker, { counter, judge: false });
    await team.run({ task: 'Tell me a story.' });
    const { inputTokens, outputTokens } = server.served;
    expect(breaker.cost.tokens).toBe(inputTokens + outputTokens);
  });
});
