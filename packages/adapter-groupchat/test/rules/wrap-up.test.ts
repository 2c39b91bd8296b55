import { ReplayChatCompletionClient } from '@teamfuse/models';
import { describe, expect, test } from 'vitest';
import { guardAgents } from '../../src/index.ts';
import { speaker } from '../support/agents.ts';
import { bareBreaker } from '../support/bare-breaker.ts';

const PRICES = { price: () => ({ nanoUsd: 400_000_000 }) };
const SUM = [{ role: 'user', content: 'Sum it up.' }] as const;

/** An agent that was stopped by a budget of $2.00, of which $0.50 is kept back. Each call costs $0.40. */
async function stopped(more: object = {}) {
  const client = new ReplayChatCompletionClient(
    Array.from({ length: 20 }, (_, at) => ({
      content: `news ${at}`,
      usage: { promptTokens: 10, completionTokens: 10 },
    })),
    { model: 'scripted' },
  );
  const agent = speaker('A', '', { llmConfig: { client } });
  const breaker = bareBreaker({ budget: { maxUsd: 2, reserveUsd: 0.5, ...more } });
  const guard = guardAgents([agent, speaker('B')], breaker, { prices: PRICES });
  await speaker('B').initiateChat(agent, { message: 'hello', maxTurns: 9 });
  expect(breaker.conversation().trip?.kind).toBe('budget');
  expect(client.calls).toHaveLength(3);
  return { agent, breaker, client, guard };
}

describe('work that wraps up after a budget has stopped the team', () => {
  test('[GCB11] may use what the budget keeps back, and no more than that', async () => {
    const { agent, breaker, client, guard } = await stopped();
    expect(await agent.generateReply({ messages: [...SUM] })).toBeNull();
    expect(client.calls).toHaveLength(3);
    expect(await guard.wrapUp(() => agent.generateReply({ messages: [...SUM] }))).toContain(
      'news 3',
    );
    await guard.wrapUp(() => agent.generateReply({ messages: [...SUM] }));
    await guard.wrapUp(() => agent.generateReply({ messages: [...SUM] })).catch(() => {});
    expect(client.calls).toHaveLength(5);
    expect(breaker.cost.nanoUsd).toBe(2_000_000_000);
  });

  test('[GCB11] may do so where the budget is one for a stretch of time, too', async () => {
    const { agent, guard } = await stopped({ windowMs: 60_000 });
    const summed = await guard.wrapUp(() => agent.generateReply({ messages: [...SUM] }));
    expect(summed).toContain('news 3');
  });

  test('[GCB11] gets past no other stop', async () => {
    const { agent, breaker, client, guard } = await stopped();
    breaker.reset();
    breaker.stop('enough');
    await guard.wrapUp(() => agent.generateReply({ messages: [...SUM] })).catch(() => {});
    expect(client.calls).toHaveLength(3);
  });
});
