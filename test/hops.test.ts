import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { guardTeam } from '../packages/adapter-agentchat/src/index.ts';
import { guardAgents } from '../packages/adapter-groupchat/src/index.ts';
import { AssistantAgent, RoundRobinGroupChat } from '../packages/autogen/agentchat/src/index.ts';
import {
  ConversableAgent,
  type ConversableAgentOptions,
  type IOStream,
} from '../packages/autogen/groupchat/src/index.ts';
import { Breaker, MemoryBudgetStore } from '../packages/core/src/index.ts';
import { ReplayChatCompletionClient } from '../packages/models/src/index.ts';

const QUIET: IOStream = { print() {}, warn() {}, input: async () => '' };

const limit = Error.stackTraceLimit;
beforeEach(() => {
  Error.stackTraceLimit = Number.POSITIVE_INFINITY;
});
afterEach(() => {
  Error.stackTraceLimit = limit;
});

/** The functions of core, kit and adapters that are at work, the innermost first, as far as one of a framework. */
function hops(): string[] {
  const frames = (new Error('here').stack ?? '').split('\n').slice(1);
  const way = frames.filter((frame) => !/node:|<anonymous>\)?$|\/hops\.test\.ts/.test(frame));
  const end = way.findIndex((frame) => !/\/packages\/(core|adapter-\w+)\/src\//.test(frame));
  return way.slice(0, end < 0 ? undefined : end).map((frame) => frame.trim());
}

/** Notes the way by which the circuit of a breaker is opened. */
function noteOpening(breaker: Breaker): () => readonly string[] {
  let way: readonly string[] = [];
  breaker.conversation('').onOpen(() => {
    way = hops();
  });
  return () => way;
}

/** A store that notes the way by which it is asked. */
class NotingStore extends MemoryBudgetStore {
  way: readonly string[] = [];

  override reserve(...request: Parameters<MemoryBudgetStore['reserve']>) {
    this.way = hops();
    return super.reserve(...request);
  }
}

function team(): RoundRobinGroupChat {
  const modelClient = new ReplayChatCompletionClient(['A first draft.']);
  return new RoundRobinGroupChat([new AssistantAgent('ann', { modelClient })], { maxTurns: 1 });
}

function speaker(name: string, options: Partial<ConversableAgentOptions> = {}): ConversableAgent {
  const common = { name, io: QUIET, humanInputMode: 'NEVER', defaultAutoReply: name } as const;
  return new ConversableAgent({ ...common, ...options });
}

/** A way that begins in a tap and is short enough to be read. */
function expectShort(way: readonly string[], tap: string, most: number): void {
  expect(way.at(-1)).toContain(tap);
  expect(way.length, way.join('\n')).toBeLessThanOrEqual(most);
}

describe('the way through a guard', () => {
  it('[HOUSE12] has at most 12 functions from a message of a 0.4 team to the circuit', async () => {
    const breaker = new Breaker({ maxMessages: 1 });
    const way = noteOpening(breaker);
    const guarded = team();
    guardTeam(guarded, breaker, { judge: false });
    await guarded.run({ task: 'Write' });
    expectShort(way(), 'passed-stream', 12);
  });

  it('[HOUSE12] has at most 12 functions from a message of a 0.2 agent to the circuit', async () => {
    const breaker = new Breaker({ maxMessages: 1 });
    const way = noteOpening(breaker);
    const [ann, bob] = [speaker('ann'), speaker('bob')];
    guardAgents([ann, bob], breaker, { judge: false });
    await ann.initiateChat(bob, { message: 'Write', maxTurns: 1 });
    expectShort(way(), 'agent-taps', 12);
  });

  it('[HOUSE12] has at most 14 functions from a model call of a 0.4 agent to the store', async () => {
    const store = new NotingStore();
    const breaker = new Breaker({ budget: { maxTokens: 100_000, store } });
    const guarded = team();
    guardTeam(guarded, breaker, { judge: false });
    await guarded.run({ task: 'Write' });
    expectShort(store.way, 'model-tap', 14);
  });

  it('[HOUSE12] has at most 14 functions from a model call of a 0.2 agent to the store', async () => {
    const store = new NotingStore();
    const breaker = new Breaker({ budget: { maxTokens: 100_000, store } });
    const client = new ReplayChatCompletionClient(['A first draft.']);
    const ann = speaker('ann', { llmConfig: { client } });
    const bob = speaker('bob');
    guardAgents([ann, bob], breaker, { judge: false });
    await bob.initiateChat(ann, { message: 'Write', maxTurns: 1 });
    expectShort(store.way, 'agent-taps', 14);
  });
});
