import { AssistantAgent, RoundRobinGroupChat } from '@teamfuse/agentchat';
import { Breaker, MemoryBudgetStore, type Step } from '@teamfuse/core';
import { describe, expect, it } from 'vitest';
import { type Rest, streaming } from '../../../models/test/support/streaming-server.ts';
import { BytePairCounter } from '../../../tokens/src/index.ts';
import { guardTeam } from '../../src/guard/guard-team.ts';

const counter = await BytePairCounter.load('o200k_base');
const CUTS = 200;
/** Of gpt-4o, in nano-dollars per token. */
const [INPUT, OUTPUT] = [2_500, 10_000];

/** The tokens of an answer before the cut: now and then more than the 1,024 that are reserved. */
function lengthOf(i: number): number {
  return i % 40 === 0 ? 1_100 : 1 + ((i * 37) % 80);
}

type Cut = (team: RoundRobinGroupChat, task: string, tokens: number) => Promise<unknown>;

function isPiece(item: object): boolean {
  return 'type' in item && item.type === 'ModelClientStreamingChunkEvent';
}

/** Reads a team until so many pieces of its answer have come. */
async function leave(team: RoundRobinGroupChat, task: string, tokens: number): Promise<void> {
  let pieces = 0;
  for await (const item of team.runStream({ task })) {
    if (isPiece(item) && ++pieces === tokens) break;
  }
}

/** Aborts a team once so many pieces of its answer have come. */
async function abort(team: RoundRobinGroupChat, task: string, tokens: number): Promise<void> {
  const controller = new AbortController();
  let pieces = 0;
  for await (const item of team.runStream({ task, signal: controller.signal })) {
    if (isPiece(item) && ++pieces === tokens) controller.abort();
  }
}

const read: Cut = async (team, task) => team.run({ task });

describe('answers that are cut off', () => {
  it.each<[string, Rest, Cut]>([
    ['their reader leaves', 'hangs', leave],
    ['their caller aborts', 'hangs', abort],
    ['their connection breaks', 'breaks', read],
  ])('[MDL7] are booked as what was served, and at most a tenth more: %s', async (_, rest, cut) => {
    let tokens = 0;
    await using server = await streaming(() => [tokens, rest]);
    const store = new MemoryBudgetStore();
    const breaker = new Breaker({ budget: { maxUsd: 50, store }, reaction: 'observe' });
    for (let i = 0; i < CUTS; i++) {
      tokens = lengthOf(i);
      const { inputTokens, outputTokens } = server.served;
      const before = store.totals().spent.nanoUsd;
      const agent = new AssistantAgent('writer', {
        modelClient: server.client,
        modelClientStream: true,
      });
      const team = new RoundRobinGroupChat([agent], { maxTurns: 1 });
      const guard = guardTeam(team, breaker, { counter, judge: false });
      await cut(team, `Tell me story number ${i}.`, tokens).catch(() => {});
      guard.uninstall();
      const prompt = server.served.inputTokens - inputTokens;
      const answer = server.served.outputTokens - outputTokens;
      const cost = INPUT * prompt + OUTPUT * answer;
      const booked = store.totals().spent.nanoUsd - before;
      expect(booked / cost).toBeGreaterThanOrEqual(1);
      expect(booked / cost).toBeLessThanOrEqual(1.1);
    }
    expect(store.totals().reserved).toEqual({ nanoUsd: 0, tokens: 0 });
    expect(breaker.cost.isEstimate).toBe(true);
  });

  it.each<[string, Rest]>([
    ['its reader leaves', 'hangs'],
    ['its signal aborts', 'hangs'],
    ['its connection breaks', 'breaks'],
  ])('[RUN11] are so in a step of a breaker without a team: %s', async (how, rest) => {
    let tokens = 0;
    await using server = await streaming(() => [tokens, rest]);
    const store = new MemoryBudgetStore();
    const breaker = new Breaker({ budget: { maxUsd: 50, store }, reaction: 'observe' });
    for (let i = 0; i < CUTS / 4; i++) {
      tokens = lengthOf(i);
      const before = { ...server.served, ...store.totals().spent };
      const prompt = { type: 'UserMessage', content: `Story ${i}`, source: 'user' } as const;
      const inputTokens = counter.countMessages([{ ...prompt, name: prompt.source }]);
      const request = { kind: 'model-request', agent: 'writer', model: 'gpt-4o' } as const;
      const giveUp = new AbortController();
      const read = async ({ signal, streamed }: Step) => {
        let pieces = 0;
        for await (const piece of server.client.createStream([prompt], { signal })) {
          if (typeof piece !== 'string') return piece;
          streamed(piece);
          if (++pieces < tokens || rest === 'breaks') continue;
          if (how === 'its reader leaves') return undefined;
          giveUp.abort();
        }
        return undefined;
      };
      const { signal } = giveUp;
      const ended = new Promise((resolve) => breaker.on('spend', resolve));
      await breaker.run({ ...request, inputTokens }, read, { signal }).catch(() => {});
      await ended;
      const { nanoUsd } = store.totals().spent;
      const { served } = server;
      const cost =
        INPUT * (served.inputTokens - before.inputTokens) +
        OUTPUT * (served.outputTokens - before.outputTokens);
      expect((nanoUsd - before.nanoUsd) / cost).toBeGreaterThanOrEqual(1);
      expect((nanoUsd - before.nanoUsd) / cost).toBeLessThanOrEqual(1.1);
    }
    expect(store.totals().reserved).toEqual({ nanoUsd: 0, tokens: 0 });
  });

  it('[MDL7] end a budget', async () => {
    await using server = await streaming(() => [1_000, 'breaks']);
    const breaker = new Breaker({ budget: { maxUsd: 0.05 } });
    const trips: unknown[] = [];
    breaker.on('trip', (trip) => trips.push(trip));
    let runs = 0;
    for (; runs < CUTS && trips.length === 0; runs++) {
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
    expect(INPUT * inputTokens + OUTPUT * outputTokens).toBeLessThanOrEqual(50_000_000);
    expect(runs).toBe(5);
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
      nanoUsd: INPUT * inputTokens + OUTPUT * outputTokens,
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
