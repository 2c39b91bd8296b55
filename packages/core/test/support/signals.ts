import type { BreakerSnapshot, Signal, Trip } from '../../src/index.ts';
import type { MessageSignal, ModelRequestSignal, TurnRequest, UsageSignal } from '../../src/kit.ts';
import type { ConversationSnapshot } from '../../src/sharing.ts';

export function message(agent: string, text: string, at = 0): MessageSignal {
  return { kind: 'message', at, agent, text };
}

export function usage(fields: Partial<UsageSignal> = {}): UsageSignal {
  const tokens = { inputTokens: 10, outputTokens: 5, costUsd: 0.001 };
  return { kind: 'usage', at: 0, agent: 'writer', model: 'm', ...tokens, ...fields };
}

export function modelRequest(fields: Partial<ModelRequestSignal> = {}): ModelRequestSignal {
  return { kind: 'model-request', at: 0, agent: 'writer', model: 'm', ...fields };
}

export function turn(agent: string, at = 0): TurnRequest {
  return { kind: 'turn', agent, at };
}

export function aTrip(reason = 'going in circles'): Trip {
  const cost = { nanoUsd: 0, tokens: 0, unpricedTokens: 0, isEstimate: false };
  const evidence = { agents: [], indices: [], count: 3, limit: 3, signals: [], cost };
  return {
    kind: 'repetition',
    basis: 'certain',
    conversation: '',
    reason,
    at: 0,
    index: 0,
    agents: [],
    evidence,
  };
}

/** One valid signal of each kind. */
export const ONE_OF_EACH: readonly Signal[] = [
  message('writer', ''),
  { kind: 'tool-call', at: 0, agent: 'a', tool: 't', args: { q: [1, null] }, result: null },
  {
    kind: 'tool-call',
    at: 0,
    agent: 'a',
    tool: 't',
    args: {},
    error: { message: 'busy', code: '429' },
    executed: false,
  },
  {
    kind: 'execution',
    at: 0,
    agent: 'a',
    language: 'sh',
    code: 'exit 3',
    exitCode: 3,
    output: '',
  },
  modelRequest({ requestId: 'r1', inputTokens: 7 }),
  usage({ costUsd: null, isEstimate: true }),
  { kind: 'handoff', at: 0, agent: 'a', to: 'b' },
  {
    kind: 'nested-start',
    at: 0,
    agent: 'a',
    chatId: 'c1',
    depth: 1,
    path: ['root', 'c1'],
    trigger: 'reply:critic',
  },
  { kind: 'nested-end', at: 0, agent: 'a', chatId: 'c1', depth: 1, path: ['root', 'c1'] },
  { kind: 'human-input', at: 0, agent: 'p', decision: 'approve', waitedMs: 5 },
  { kind: 'selection', at: 0, agent: 'manager', chosen: 'a', candidates: ['a', 'b'] },
];

/** The state of the main conversation in a snapshot. */
export function mainOf({ conversations }: BreakerSnapshot): ConversationSnapshot {
  return conversations[''] as ConversationSnapshot;
}

/** A snapshot with another state of the main conversation. */
export function withMain(
  snapshot: BreakerSnapshot,
  change: (main: ConversationSnapshot) => unknown,
): unknown {
  return { ...snapshot, conversations: { '': change(mainOf(snapshot)) } };
}
