import { AssistantAgent, RoundRobinGroupChat, TextMessage } from '@teamfuse/agentchat';
import { Breaker } from '@teamfuse/core';
import { ReplayChatCompletionClient } from '@teamfuse/models';
import { describe, expect, it } from 'vitest';
import { BreakerTermination, guardTeam } from '../../src/index.ts';

const PRICES = { price: () => ({ nanoUsd: 400_000_000 }) };

/** A team that was stopped by its budget of $2.00, of which $0.50 is kept back. Each call costs $0.40. */
async function stopped() {
  const client = new ReplayChatCompletionClient(
    Array.from({ length: 20 }, (_, at) => ({
      content: `Finding number ${at} is of another kind.`,
      usage: { promptTokens: 10, completionTokens: 10 },
    })),
    { model: 'scripted' },
  );
  const agent = new AssistantAgent('bot', { modelClient: client });
  const breaker = new Breaker({ budget: { maxUsd: 2, reserveUsd: 0.5 } });
  const team = new RoundRobinGroupChat([agent], { maxTurns: 9 });
  const guard = guardTeam(team, breaker, { prices: PRICES });
  await team.run({ task: 'Go' });
  expect(breaker.conversation().trip?.kind).toBe('budget');
  expect(client.calls).toHaveLength(3);
  const sum = [new TextMessage({ content: 'Sum it up.', source: 'user' })];
  return { client, agent, breaker, guard, sum, team };
}

describe('work that wraps up after a budget has stopped the team', () => {
  it('[WRP1] may use what the budget keeps back, for one turn with its call and no further', async () => {
    const { client, agent, breaker, guard, sum } = await stopped();
    await expect(agent.onMessages(sum)).rejects.toThrow('budget');
    const { chatMessage } = await guard.wrapUp(() => agent.onMessages(sum));
    expect(chatMessage.toText()).toContain('Finding number 3');
    expect(client.calls).toHaveLength(4);
    expect(breaker.cost.nanoUsd).toBe(1_600_000_000);
    await guard.wrapUp(() => agent.onMessages(sum));
    await expect(guard.wrapUp(() => agent.onMessages(sum))).rejects.toThrow('budget');
    expect(breaker.cost.nanoUsd).toBe(2_000_000_000);
  });

  it('[WRP1] ends with the work: the next turn is refused as before', async () => {
    const { agent, guard, sum } = await stopped();
    await guard.wrapUp(() => agent.onMessages(sum));
    await expect(agent.onMessages(sum)).rejects.toThrow('budget');
  });

  it('[WRP1] does not begin a run of a team', async () => {
    const { client, guard, team } = await stopped();
    await expect(guard.wrapUp(() => team.run({ task: 'Once more' }))).rejects.toThrow('budget');
    expect(client.calls).toHaveLength(3);
  });

  it('[WRP1] gets past no other stop', async () => {
    const { agent, breaker, guard, sum } = await stopped();
    breaker.reset();
    breaker.stop('enough');
    await expect(guard.wrapUp(() => agent.onMessages(sum))).rejects.toThrow('enough');
  });
});

describe('a team under a BreakerTermination with wrapUp', () => {
  /** A team that thanks itself until it is told that this is its last answer. */
  function thanking(isGuarded: boolean) {
    const breaker = new Breaker({ wrapUp: { maxTokens: 50 }, maxMessages: 2 });
    const client = new ReplayChatCompletionClient(
      ['One.', 'Two.', 'It was blue.', 'never'].map((content) => ({ content })),
      { model: 'scripted' },
    );
    const agents = ['ann', 'bob'].map((name) => new AssistantAgent(name, { modelClient: client }));
    const terminationCondition = new BreakerTermination(breaker);
    const team = new RoundRobinGroupChat(agents, { maxTurns: 9, terminationCondition });
    if (isGuarded) guardTeam(team, breaker, { prices: PRICES });
    return { breaker, client, team };
  }

  it('[WRP2] lets the next agent write the last answer where a guard is beside it', async () => {
    const { breaker, client, team } = thanking(true);
    const { messages, stopReason } = await team.run({ task: 'Go' });
    const { trip } = breaker.conversation();
    expect(messages.map((message) => message.toText())).toEqual([
      'Go',
      'One.',
      'Two.',
      'It was blue.',
    ]);
    expect([stopReason, trip?.hasLastAnswer]).toEqual([trip?.reason, true]);
    expect(client.calls.at(-1)?.options).toMatchObject({
      tools: [],
      extraCreateArgs: { max_tokens: 50 },
    });
  });

  it('[WRP2] stops the team as before by itself', async () => {
    const { breaker, team } = thanking(false);
    const { messages } = await team.run({ task: 'Go' });
    expect(messages).toHaveLength(3);
    expect(breaker.conversation().trip?.hasLastAnswer).toBeUndefined();
  });
});
