import { Breaker } from '@teamfuse/core';
import { internalsOf } from '@teamfuse/core/kit';
import { type ConversableAgent, GroupChat, GroupChatManager } from '@teamfuse/groupchat';
import { ReplayChatCompletionClient } from '@teamfuse/models';
import { describe, expect, test } from 'vitest';
import { guardAgents } from '../../src/index.ts';
import { silence, speaker } from '../support/agents.ts';
import { PlainAgent } from '../support/plain-agent.ts';
import { ofKind, record } from '../support/signals.ts';

const STALE = JSON.stringify({ reason: 'They wait.', probability: 1 });
const TURNS = 12;
const TOKENS = { promptTokens: 1000, completionTokens: 100 };

/** A model that says the same for ever: as a line of the team, and as a judge. */
function staleModel(): ReplayChatCompletionClient {
  const replies = Array.from({ length: 3 * TURNS }, () => ({ content: STALE, usage: TOKENS }));
  return new ReplayChatCompletionClient(replies, { model: 'scripted' });
}

/** The calls that a judge has made: its instructions come first. */
function questionsTo({ calls }: ReplayChatCompletionClient): number {
  return calls.filter(({ messages }) =>
    String(messages[0]?.content).startsWith('Does this team of AI agents go in circles'),
  ).length;
}

/** An agent whose model has a price of its own: half a dollar for 1,000 tokens in, one for 1,000 out. */
function priced(name: string, client: ReplayChatCompletionClient): ConversableAgent {
  return speaker(name, '', { llmConfig: { client, price: [0.5, 1] } });
}

/** Says the same again until the judge has been asked, and has answered. */
async function stall(breaker: Breaker): Promise<void> {
  for (let i = 0; i < TURNS && breaker.judged.questions === 0; i++) {
    const agent = 'ab'.charAt(i % 2);
    breaker.observe({ kind: 'message', at: 0, agent, text: 'Let us see, shall we?' });
  }
  await breaker.conversation().answered();
}

describe('the judge of agents', () => {
  test('[GCJ1] asks the client that they share, past their taps', async () => {
    const breaker = new Breaker();
    const signals = record(breaker);
    const client = staleModel();
    const [a, b] = [priced('A', client), priced('B', client)];
    guardAgents([a, b], breaker, { judge: true });
    const { stopReason } = await a.initiateChat(b, { message: STALE, maxTurns: TURNS });
    expect(stopReason).toContain(
      "the judge is 100% sure that the team is going in circles: 'They wait.'",
    );
    const { questions } = breaker.judged;
    expect(questionsTo(client)).toBe(questions);
    expect(questions).toBeGreaterThan(0);
    const calls = client.calls.length - questions;
    expect(ofKind(signals, 'model-request')).toHaveLength(calls);
    expect(ofKind(signals, 'usage')).toHaveLength(calls);
    const counted = [a, b].map(({ client: access }) => access?.totalUsageSummary?.models);
    const tokens = counted.reduce((sum, models) => sum + (models?.scripted?.promptTokens ?? 0), 0);
    expect(tokens).toBe(1000 * calls);
  });

  test('[GCJ1] asks that of the manager before those of the members', async () => {
    const breaker = new Breaker();
    const [own, other] = [staleModel(), staleModel()];
    const agents = [priced('A', other), priced('B', other)];
    const groupchat = new GroupChat({ agents, speakerSelectionMethod: 'round_robin' });
    const llmConfig = { client: own };
    const manager = new GroupChatManager({ groupchat, io: silence, llmConfig });
    guardAgents([...agents, manager], breaker, { judge: true });
    await stall(breaker);
    expect([questionsTo(own), questionsTo(other)]).toEqual([1, 0]);
  });

  test('[GCJ1] asks that of the first agent where the manager has none', async () => {
    const breaker = new Breaker();
    const client = staleModel();
    const agents = [speaker('A'), priced('B', client)];
    const groupchat = new GroupChat({ agents, speakerSelectionMethod: 'round_robin' });
    const manager = new GroupChatManager({ groupchat, io: silence });
    guardAgents([manager, ...agents], breaker, { judge: true });
    await stall(breaker);
    expect(questionsTo(client)).toBe(1);
  });

  test('[GCJ2] has the price in the configuration of the agent', async () => {
    const breaker = new Breaker();
    guardAgents([priced('A', staleModel())], breaker, { judge: true });
    await stall(breaker);
    expect(breaker.judged.cost).toMatchObject({ nanoUsd: 600_000_000, unpricedTokens: 0 });
  });

  test('[GCJ3] is refused where no agent has a model, and no agent is guarded then', () => {
    const breaker = new Breaker();
    const agents = [speaker('A'), new PlainAgent('B')];
    expect(() => guardAgents(agents, breaker, { judge: true })).toThrow(
      'cannot guard the team: judge: true asks a model of the team',
    );
    expect(guardAgents(agents, breaker, { judge: false }).agents).toHaveLength(2);
  });

  test('[GCJ3] needs no model of agents that are added later', async () => {
    const breaker = new Breaker();
    const client = staleModel();
    const guard = guardAgents([priced('A', client)], breaker, { judge: true });
    guard.add(speaker('B'));
    await stall(breaker);
    expect(questionsTo(client)).toBe(1);
    guard.uninstall();
    expect(internalsOf(breaker).judges.current).toBeUndefined();
  });
});
