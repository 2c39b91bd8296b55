import {
  Breaker,
  type BudgetLimits,
  type BudgetStore,
  type BudgetTotals,
  MemoryBudgetStore,
  type Permit,
  type ReservationResult,
} from '../../src/index.ts';
import { SeededRandom } from '../../src/testing/seeded-random.ts';

/** What is to be simulated. */
export interface Plan {
  readonly seed: number;
  readonly steps: number;
  /** Makes the store of the budget. @defaultValue the one in memory */
  readonly store?: (now: () => number) => BudgetStore;
  /** Stands in for the breaker's answer, to plant a fault. */
  readonly admits?: (isAdmitted: boolean, breaker: Breaker) => boolean;
}

interface Call {
  readonly id: string;
  readonly estimate: number;
  readonly permit: Permit;
}

const CALLERS = 50;
const LIMIT_TOKENS = 20_000;
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
  const books = new Books(inner, clock);
  let breaker = create();
  const calls: (Call | undefined)[] = [];
  let lastId = 0;

  function create(): Breaker {
    const budget = { maxTokens: LIMIT_TOKENS, store: books };
    return new Breaker({ budget, cooldownMs: COOLDOWN_MS, now: clock, repetition: { limit: 3 } });
  }

  function begin(caller: number): string | undefined {
    const id = `c${++lastId}`;
    const estimate = 1 + random(400);
    const request = {
      kind: 'model-request',
      agent: `agent ${caller}`,
      model: 'm',
      at: now,
    } as const;
    const before = breaker.state;
    const { status } = before;
    // A probe that does not come back in time is given up, and another one may follow.
    const isProbing = before.status === 'half-open' && now < before.probeUntil;
    const admission = breaker.admit({ ...request, requestId: id, inputTokens: estimate });
    if ('then' in admission) return 'an answer of the store in memory came late';
    const isAdmitted = admits(admission.isAdmitted, breaker);
    if (!isAdmitted) return undefined;
    const permit = admission.isAdmitted ? admission.permit : { isProbe: false, release: () => {} };
    if (status !== 'closed' && !permit.isProbe) return `a step was admitted while ${status}`;
    if (permit.isProbe && isProbing) return 'a second probe was admitted';
    calls[caller] = { id, estimate, permit };
    return books.isOver() ? 'a granted call exceeds the limit' : undefined;
  }

  function end(caller: number, call: Call): void {
    const outputTokens = random(Math.max(1, call.estimate));
    const failed = random(4) === 0 && { error: { message: 'down', code: `E${random(3)}` } };
    const usage = { inputTokens: 0, outputTokens, costUsd: 0, ...failed };
    const agent = `agent ${caller}`;
    breaker.observe({ kind: 'usage', at: now, agent, model: 'm', requestId: call.id, ...usage });
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
      if (breaker.trip?.kind === 'budget') breaker.reset();
    }
    if (random(500) === 0) books.newMonth();
    violation ??= books.check();
    if (violation !== undefined) return `seed ${seed}, step ${step}: ${violation}`;
  }
  return undefined;
}

/** A store between breaker and store that keeps its own account in big integers. */
class Books implements BudgetStore {
  readonly #inner: BudgetStore;
  readonly #held: Map<string, { readonly tokens: number; readonly at: number }> = new Map();
  #spent = 0n;
  #forgiven = 0;
  #isOver = false;
  readonly #now: () => number;

  constructor(inner: BudgetStore, now: () => number) {
    this.#inner = inner;
    this.#now = now;
  }

  /** Raises the limit by what was spent, so that the simulation goes on. */
  newMonth(): void {
    this.#forgiven = Number(this.#spent);
  }

  reserve(id: string, amount: { nanoUsd: number; tokens: number }, { tokens = 0 }: BudgetLimits) {
    const raised = { tokens: tokens + this.#forgiven };
    const result = this.#inner.reserve(id, amount, raised) as ReservationResult;
    if (result.isGranted) {
      this.#expire();
      this.#held.set(id, { tokens: amount.tokens, at: this.#now() });
      const held = [...this.#held.values()].reduce((sum, one) => sum + one.tokens, 0);
      this.#isOver = Number(this.#spent) + held > raised.tokens;
    }
    return result;
  }

  settle(id: string | undefined, actual: { nanoUsd: number; tokens: number }): BudgetTotals {
    if (id !== undefined) this.#held.delete(id);
    this.#spent += BigInt(actual.tokens);
    const totals = this.#inner.settle(id, actual) as BudgetTotals;
    const spent = { ...totals.spent, tokens: totals.spent.tokens - this.#forgiven };
    return { ...totals, spent };
  }

  totals(): BudgetTotals {
    return this.#inner.totals() as BudgetTotals;
  }

  isOver(): boolean {
    return this.#isOver;
  }

  /** Compares the store with the account. */
  check(): string | undefined {
    this.#expire();
    const { spent, reserved } = this.totals();
    if (BigInt(spent.tokens) !== this.#spent)
      return `${spent.tokens} spent instead of ${this.#spent}`;
    const held = [...this.#held.values()].reduce((sum, one) => sum + one.tokens, 0);
    return reserved.tokens === held ? undefined : `${reserved.tokens} reserved instead of ${held}`;
  }

  #expire(): void {
    const expired = this.#now() - RESERVATION_MS;
    for (const [id, { at }] of this.#held) if (at <= expired) this.#held.delete(id);
  }
}
