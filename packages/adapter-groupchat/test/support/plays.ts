import type { CodeExecutor } from '@teamfuse/code-executors';
import { Breaker, type BreakerOptions, type Trip } from '@teamfuse/core';
import { NO_DETECTORS } from '@teamfuse/core/detectors';
import type { ConversableAgent, ToolFunction } from '@teamfuse/groupchat';
import { type CreateResult, ReplayChatCompletionClient, type Reply } from '@teamfuse/models';
import { FakeClock } from '@teamfuse/testing';
import { expect } from 'vitest';
import { guardAgents } from '../../src/index.ts';
import { group, speaker } from './agents.ts';

/** How long everything takes that somebody looks at the clock for. */
const STEP_MS = 50;

/** How long a model may think so that it is no wait, and yet long enough for a retry. */
export const THINK_MS = 4_000;

interface Outcome {
  readonly trip: Trip | undefined;
  /** Why the guard stopped the chat; `null` when the chat came to its own end. */
  readonly stopReason: string | null;
}

/** A chat of guarded agents that begins anew each time it is run. */
export type Play = (options?: BreakerOptions) => Promise<Outcome>;

/** A call of a tool: its name, and its arguments as JSON. */
export type Call = readonly [tool: string, args: string];

const KINDS = {
  speakerCycle: 'speaker-cycle',
  repetition: 'repetition',
  executionStorm: 'execution-storm',
  historyDrift: 'history-drift',
  nestedCascade: 'nested-cascade',
  rate: 'rate',
} as const;

/** Runs a chat under a breaker whose clock goes on with each look, and says what came of it. */
export async function play(
  agents: readonly ConversableAgent[],
  [initiator, recipient]: readonly [ConversableAgent, ConversableAgent],
  message: string,
  options: BreakerOptions = {},
): Promise<Outcome> {
  const clock = new FakeClock(1_000);
  const now = (): number => {
    clock.advance(STEP_MS);
    return clock.now();
  };
  const guard = guardAgents(agents, new Breaker({ now, ...options }));
  const { stopKind, stopReason } = await initiator.initiateChat(recipient, { message });
  return { trip: guard.trip, stopReason: stopKind === 'refused' ? stopReason : null };
}

/** Expects a loop to trip one detector where it is alone, and some detector with all defaults, beside what is declared. */
export async function expectLoop(
  run: Play,
  detector: keyof typeof KINDS,
  declared: BreakerOptions = {},
): Promise<Trip | undefined> {
  const alone = await run({ ...NO_DETECTORS, [detector]: {}, ...declared });
  expect(alone.trip?.kind).toBe(KINDS[detector]);
  expect(alone.stopReason).toBe(alone.trip?.reason);
  const { trip, stopReason } = await run(declared);
  expect(trip).toBeDefined();
  expect(stopReason).toBe(trip?.reason);
  return alone.trip;
}

/** Expects a run to come to its own end with all detectors on. */
export async function expectHealthy(run: Play, declared: BreakerOptions = {}): Promise<void> {
  expect(await run(declared)).toEqual({ trip: undefined, stopReason: null });
}

/** A group in which everybody says one line after the other. */
export function inGroup(lines: Readonly<Record<string, readonly string[]>>, message: string): Play {
  return (options) => {
    const members = Object.entries(lines).map(([name, says]) => speaker(name, says));
    const { manager } = group(members, { maxRound: 60 });
    const [first = manager] = members;
    return play([...members, manager], [first, manager], message, options);
  };
}

/** Two agents who take turns with these lines; the second one answers first. */
export function inPairs(lines: readonly string[], message: string): Play {
  return (options) => {
    const a = speaker(
      'A',
      lines.filter((_, at) => at % 2 === 1),
    );
    const b = speaker(
      'B',
      lines.filter((_, at) => at % 2 === 0),
    );
    return play([a, b], [a, b], message, options);
  };
}

/** Answers from a script, and takes its time over each answer. */
class SlowClient extends ReplayChatCompletionClient {
  readonly #think: () => void;

  constructor(replies: Iterable<Reply>, think: () => void) {
    super(replies, { model: 'scripted' });
    this.#think = think;
  }

  override async create(
    ...request: Parameters<ReplayChatCompletionClient['create']>
  ): Promise<CreateResult> {
    this.#think();
    return await super.create(...request);
  }
}

/** An assistant that makes one call after the other, and the agent that carries them out. */
export function withTools(
  calls: readonly Call[],
  makeTools: () => Readonly<Record<string, ToolFunction>>,
  thinkMs: number = STEP_MS,
): Play {
  return (options) => {
    const clock = new FakeClock(1_000);
    const replies = calls.map(([name, args], at) => ({
      content: [{ id: `call_${at}`, name, arguments: args }],
    }));
    const client = new SlowClient([...replies, 'TERMINATE'], () => clock.advance(thinkMs));
    const clerk = speaker('clerk', '', { llmConfig: { client } });
    const desk = speaker('desk', '', { functionMap: makeTools() });
    const message = 'Are there any open orders?';
    return play([clerk, desk], [desk, clerk], message, { now: clock.now, ...options });
  };
}

/** A coder who says one thing after the other, and an agent that has the code in it run. */
export async function withExecutor(
  executor: CodeExecutor,
  says: readonly string[],
  options?: BreakerOptions,
): Promise<Outcome> {
  const coder = speaker('coder', [...says, 'TERMINATE']);
  const runner = speaker('runner', '', { codeExecutionConfig: { executor } });
  return await play([coder, runner], [runner, coder], 'Plot revenue by month.', options);
}
