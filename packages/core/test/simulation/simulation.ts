import {
  Breaker,
  type BudgetStore,
  type Conversation,
  MemoryBudgetStore,
} from '../../src/index.ts';
import type { Permit } from '../../src/kit.ts';
import { SeededRandom } from '../../src/testing/seeded-random.ts';
import { Books } from './books.ts';

/** What is to be simulated. */
export interface Plan {
  readonly seed: number;
  readonly steps: number;
  /** Makes the store of the budget. @defaultValue the one in memory */
  readonly store?: (now: () => number) => BudgetStore;
  /** Stands in for the breaker's answer, to plant a fault. */
  readonly admits?: (isAdmitted: boolean, conversation: Conversation) => boolean;
}

interface Call {
  readonly requestId?: string;
  readonly estimate: number;
  readonly model: string;
  readonly permit: Permit;
}

const CALLERS = 50;
const LIMIT_TOKENS = 20_000;
const AGENTS = 7;
const AGENT_TOKENS = 4_000;
const MODELS = 3;
const MODEL_TOKENS = 9_000;
const RESERVATION_MS = 60_000;
const COOLDOWN_MS = 5_000;

/**
 * Lets callers admit, answer, fail and abandon calls in an order that follows from the seed alone, and checks after every
 * step what has to hold.
 *
 * @returns the first violation, with the step it came at; `undefined` if all held.
 */
export function simulate({ seed, steps, store, admits = (is) => is }: Plan): string | undefined {
  const numbers = new SeededRandom(seed);
  const random = (below: number): number => numbers.below(below);
  let now = 0;
  const clock = (): number => now;
  const inner =
    store?.(clock) ??
    new MemoryBudgetStore(undefined, { reservationMs: RESERVATION_MS, now: clock });
  const books = new Books(inner, clock, RESERVATION_MS);
  let breaker = create();
  const calls: (Call | undefined)[] = [];
  let lastId = 0;

  function agentOf(caller: number): string {
    return `agent ${caller % AGENTS}`;
  }

  function create(): Breaker {
    const perAgent = { maxTokens: AGENT_TOKENS };
    const perModel = { maxTokens: MODEL_TOKENS };
    const budget = { maxTokens: LIMIT_TOKENS, perAgent, perModel, warnAt: 0.8, store: books };
    return new Breaker({ budget, cooldownMs: COOLDOWN_MS, now: clock, repetition: { limit: 3 } });
  }

  function begin(caller: number): string | undefined {
    const id = `c${++lastId}`;
    const estimate = 1 + random(400);
    const model = `model ${random(MODELS)}`;
    const request = { kind: 'model-request', agent: agentOf(caller), model, at: now } as const;
    const before = breaker.conversation().state;
    const { status } = before;
    // A probe that does not come back in time is given up, and another one may follow.
    const isProbing = before.status === 'half-open' && now < before.probeUntil;
    // Some callers give no id, or that of somebody else.
    const requestId = random(3) === 0 ? undefined : random(5) === 0 ? 'same' : id;
    const named = requestId !== undefined && { requestId };
    const admission = breaker.admit({ ...request, ...named, inputTokens: estimate });
    if ('then' in admission) return 'an answer of the store in memory came late';
    const isAdmitted = admits(admission.isAdmitted, breaker.conversation());
    if (!isAdmitted) return undefined;
    const permit = admission.isAdmitted ? admission.permit : { isProbe: false, release: () => {} };
    if (status !== 'closed' && !permit.isProbe) return `a step was admitted while ${status}`;
    if (permit.isProbe && isProbing) return 'a second probe was admitted';
    calls[caller] = { ...named, estimate, model, permit };
    return books.isOver() ? 'a granted call exceeds the limit' : undefined;
  }

  function end(caller: number, call: Call): void {
    // One in ten reports nothing: that counts as it was reserved.
    const outputTokens = random(10) === 0 ? 0 : random(Math.max(1, call.estimate));
    const failed = random(4) === 0 && { error: { message: 'down', code: `E${random(3)}` } };
    const usage = { inputTokens: 0, outputTokens, costUsd: 0, ...failed };
    const agent = agentOf(caller);
    const { model, requestId } = call;
    const named = requestId !== undefined && { requestId };
    breaker.observe({ kind: 'usage', at: now, agent, model, ...named, ...usage });
    const text =
      random(3) === 0 ? 'Let me look into it.' : `Finding ${random(1e6)} of ${random(1e6)}.`;
    breaker.observe({ kind: 'message', at: now, agent, text });
    close(caller, call);
  }

  function close(caller: number, call: Call): void {
    call.permit.release();
    calls[caller] = undefined;
  }

  for (let step = 0; step < steps; step++) {
    now += random(200);
    const caller = random(CALLERS);
    const call = calls[caller];
    const fate = random(100);
    let violation: string | undefined;
    if (call === undefined) violation = begin(caller);
    else if (fate < 90) end(caller, call);
    // The caller crashes: nothing is settled, and only time can release what it has reserved.
    else if (fate < 96) close(caller, call);
    if (random(4000) === 0) {
      // The process starts again, from its snapshot; what was under way is lost.
      const snapshot = JSON.parse(JSON.stringify(breaker.snapshot()));
      breaker = create();
      breaker.restore(snapshot);
      calls.length = 0;
      if (breaker.conversation().trip?.kind === 'budget') breaker.reset();
    }
    if (random(500) === 0) books.newMonth();
    violation ??= books.check(step % 100 === 0);
    if (violation !== undefined) return `seed ${seed}, step ${step}: ${violation}`;
  }
  return undefined;
}
