import { AssistantAgent, RoundRobinGroupChat } from '@teamfuse/agentchat';
import { Breaker, MemoryBudgetStore, type Step } from '@teamfuse/core';
import { expect, it } from 'vitest';
import { type Rest, streaming } from '../../../models/test/support/streaming-server.ts';
import { BytePairCounter } from '../../../tokens/src/index.ts';
import { guardTeam } from '../../src/guard/guard-team.ts';

export const counter: BytePairCounter = await BytePairCounter.load('o200k_base');
/** What gpt-4o costs, in nano-dollars per token. */
export const PRICE = { input: 2_500, output: 10_000 } as const;

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

/** Cuts so many answers off in each way, a quarter as many without a team, and compares what is booked with what was served. */
export function testCutStreams(cuts: number): void {
  it.each<[string, Rest, Cut]>([
    ['their reader leaves', 'hangs', leave],
    ['their caller aborts', 'hangs', abort],
    ['their connection breaks', 'breaks', read],
  ])('[MDL7] are booked as what was served, and at most a tenth more: %s', async (_, rest, cut) => {
    let tokens = 0;
    await using server = await streaming(() => [tokens, rest]);
    const store = new MemoryBudgetStore();
    const breaker = new Breaker({ budget: { maxUsd: 50, store }, reaction: 'observe' });
    for (let i = 0; i < cuts; i++) {
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
      const cost = PRICE.input * prompt + PRICE.output * answer;
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
    for (let i = 0; i < cuts / 4; i++) {
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
        PRICE.input * (served.inputTokens - before.inputTokens) +
        PRICE.output * (served.outputTokens - before.outputTokens);
      expect((nanoUsd - before.nanoUsd) / cost).toBeGreaterThanOrEqual(1);
      expect((nanoUsd - before.nanoUsd) / cost).toBeLessThanOrEqual(1.1);
    }
    expect(store.totals().reserved).toEqual({ nanoUsd: 0, tokens: 0 });
  });
}
