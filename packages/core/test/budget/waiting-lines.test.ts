import { setImmediate as settled } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NO_DETECTORS } from '../../src/detectors.ts';
import {
  Breaker,
  type BudgetOptions,
  type BudgetStore,
  MemoryBudgetStore,
} from '../../src/index.ts';
import { modelRequest, usage } from '../support/signals.ts';

const WHOLE = '';
const LIMITS = { [WHOLE]: 10, agent: 6, model: 5 } as const;

/** A call of an agent, by a model, of so many tokens: each fits where nothing else is under way. */
interface Call {
  readonly agent: string;
  readonly model: string;
  readonly tokens: number;
}

/** Asks for calls that cost nothing in the end, and keeps which were admitted. */
class Team {
  readonly admitted: number[] = [];
  readonly #breaker: Breaker;
  #asked = 0;

  constructor(budget: BudgetOptions) {
    this.#breaker = new Breaker({ ...NO_DETECTORS, budget: { ...budget, whenFull: 'wait' } });
  }

  ask({ agent, model, tokens }: Call): void {
    const number = this.#asked++;
    const requestId = `${number}`;
    const request = modelRequest({ agent, model, requestId, inputTokens: tokens });
    void Promise.resolve(this.#breaker.admit(request)).then(({ isAdmitted }) => {
      if (isAdmitted) this.admitted.push(number);
    });
  }

  end(number: number, { agent, model }: Call): void {
    const error = { message: 'down' };
    const tokens = { inputTokens: 0, outputTokens: 0, costUsd: 0 };
    this.#breaker.observe(usage({ agent, model, requestId: `${number}`, ...tokens, error }));
  }
}

/** The same, in a few lines: who waits stands in line for what was full for it. */
class Model {
  readonly admitted: number[] = [];
  readonly #calls: Call[] = [];
  readonly #underWay: Set<number> = new Set();
  #waiting: { readonly number: number; readonly line: Set<string> }[] = [];

  ask(call: Call): void {
    const one = { number: this.#calls.push(call) - 1, line: new Set<string>() };
    if (!this.#isLeft(one, new Set(this.#waiting.flatMap(({ line }) => [...line])))) return;
    this.#waiting.push(one);
    this.#serve();
  }

  end(number: number): void {
    this.#underWay.delete(number);
    this.#serve();
  }

  #serve(): void {
    const ahead = new Set<string>();
    this.#waiting = this.#waiting.filter((one) => {
      if (!this.#isLeft(one, ahead)) return false;
      for (const name of one.line) ahead.add(name);
      return true;
    });
  }

  #isLeft({ number, line }: { number: number; line: Set<string> }, ahead: Set<string>): boolean {
    const call = this.#calls[number] as Call;
    const held = pursesOf(call).filter((name) => ahead.has(name));
    const full = held.length > 0 ? held : this.#fullFor(call);
    if (full.length === 0) {
      this.#underWay.add(number);
      this.admitted.push(number);
      return false;
    }
    line.delete(WHOLE);
    for (const name of full) line.add(name);
    return true;
  }

  /** The whole budget counts where nothing else is full. */
  #fullFor(call: Call): readonly string[] {
    const full = pursesOf(call).filter(
      (name) => heldIn(name, this.#underWay, this.#calls) + call.tokens > limitOf(name),
    );
    return full.length > 1 ? full.filter((name) => name !== WHOLE) : full;
  }
}

function pursesOf({ agent, model }: Call): readonly string[] {
  return [WHOLE, `agent:${agent}`, `model:${model}`];
}

function limitOf(name: string): number {
  return LIMITS[(name.split(':')[0] ?? WHOLE) as keyof typeof LIMITS];
}

function heldIn(name: string, underWay: Iterable<number>, calls: readonly Call[]): number {
  let sum = 0;
  for (const number of underWay) {
    const call = calls[number] as Call;
    if (pursesOf(call).includes(name)) sum += call.tokens;
  }
  return sum;
}

const purses = {
  maxTokens: LIMITS[WHOLE],
  perAgent: { maxTokens: LIMITS.agent },
  perModel: { maxTokens: LIMITS.model },
};

const aCall = fc.record({
  agent: fc.constantFrom('writer', 'critic', 'clerk'),
  model: fc.constantFrom('large', 'small'),
  tokens: fc.integer({ min: 1, max: 5 }),
});
/** A call to ask for, or which of those under way ends. */
const steps = fc.array(fc.oneof(aCall, fc.nat(9)), { maxLength: 40 });

describe('calls that wait for purses', () => {
  it('[WAI4] do not hold up a call of other purses that fits', async () => {
    const team = new Team({ maxTokens: 100, perAgent: { maxTokens: 10 } });
    const call = { model: 'm', tokens: 6 };
    for (const agent of ['writer', 'writer', 'critic']) team.ask({ ...call, agent });
    await settled();
    expect(team.admitted).toEqual([0, 2]);
  });

  it('[WAI4] are served first come, first served in their purse, however small a later one is', async () => {
    const team = new Team({ maxTokens: 100, perAgent: { maxTokens: 10 } });
    const first = { agent: 'writer', model: 'm', tokens: 6 };
    for (const tokens of [6, 6, 1]) team.ask({ ...first, tokens });
    await settled();
    expect(team.admitted).toEqual([0]);
    team.end(0, first);
    await settled();
    expect(team.admitted).toEqual([0, 1, 2]);
  });

  it('[WAI4] leave the whole budget to others as long as they lack a smaller purse', async () => {
    const team = new Team({ maxTokens: 10, perAgent: { maxTokens: 6 } });
    const [a, b] = [
      { agent: 'writer', model: 'm', tokens: 6 },
      { agent: 'critic', model: 'm', tokens: 4 },
    ];
    // The third one lacks its own purse, and the whole budget has no room for it either.
    for (const call of [a, b, a, { ...b, agent: 'clerk' }]) team.ask(call);
    await settled();
    team.end(1, b);
    await settled();
    expect(team.admitted).toEqual([0, 1, 3]);
  });

  it('[WAI4] of unknown size do not hold up a call whose size is known', async () => {
    const breaker = new Breaker({ budget: { maxUsd: 1, whenFull: 'wait' } });
    breaker.admit(modelRequest({ requestId: 'a' }));
    void breaker.admit(modelRequest({ requestId: 'b' }));
    const known = breaker.admit(modelRequest({ requestId: 'c', estimatedCostUsd: 0.1 }));
    expect(known).toMatchObject({ isAdmitted: true });
  });

  it('[WAI4] are refused once nothing of this breaker is left in a purse that others fill', async () => {
    const store = new MemoryBudgetStore();
    store.reserve('of another breaker', { nanoUsd: 0, tokens: 9 }, {}, [{ name: 'agent:writer' }]);
    const budget = { perAgent: { maxTokens: 10 }, whenFull: 'wait', store } as const;
    const breaker = new Breaker({ budget });
    breaker.admit(modelRequest({ agent: 'critic', inputTokens: 5 }));
    expect(breaker.admit(modelRequest({ agent: 'writer', inputTokens: 5 }))).toMatchObject({
      isAdmitted: false,
      trip: { evidence: { purse: 'agent:writer' } },
    });
  });

  it('[WAI4] are admitted as a small model of lines admits them', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const [team, model] = [new Team(purses), new Model()];
        const calls: Call[] = [];
        const ended = new Set<number>();
        for (const step of all) {
          if (typeof step === 'object') {
            calls.push(step);
            team.ask(step);
            model.ask(step);
          } else {
            const underWay = model.admitted.filter((number) => !ended.has(number));
            const number = underWay[step % underWay.length];
            if (number === undefined) continue;
            ended.add(number);
            team.end(number, calls[number] as Call);
            model.end(number);
          }
          await settled();
          expect(team.admitted).toEqual(model.admitted);
        }
      }),
      { numRuns: 200 },
    );
  });

  it.each([
    ['in memory', false],
    ['that answers later', true],
  ])(
    '[WAI4] keep the limits and the order of a purse, and all get their turn, with a store %s',
    async (_, isLate) => {
      await fc.assert(
        fc.asyncProperty(fc.array(aCall, { maxLength: 40 }), fc.nat(), async (calls, seed) => {
          const team = new Team({ ...purses, ...(isLate && { store: late() }) });
          for (const call of calls) team.ask(call);
          const ended = new Set<number>();
          for (let turn = 0; ended.size < calls.length; turn++) {
            await settled();
            const underWay = team.admitted.filter((number) => !ended.has(number));
            expect(underWay.length).toBeGreaterThan(0);
            for (const call of calls) {
              for (const name of pursesOf(call)) {
                expect(heldIn(name, underWay, calls)).toBeLessThanOrEqual(limitOf(name));
              }
            }
            const number = underWay[(seed + turn) % underWay.length] as number;
            ended.add(number);
            team.end(number, calls[number] as Call);
          }
          for (const one of calls) {
            const isAlike = (other: Call): boolean =>
              other.agent === one.agent && other.model === one.model && other.tokens === one.tokens;
            const order = team.admitted.filter((number) => isAlike(calls[number] as Call));
            expect(order).toEqual([...order].sort((a, b) => a - b));
          }
        }),
        { numRuns: 100 },
      );
    },
  );
});

function late(): BudgetStore {
  const memory = new MemoryBudgetStore();
  return {
    reserve: async (...args) => memory.reserve(...args),
    settle: async (...args) => memory.settle(...args),
    totals: async (...args) => memory.totals(...args),
  };
}
