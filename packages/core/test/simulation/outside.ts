import type { SeededRandom } from '../../../testing/src/seeded-random.ts';
import { words } from '../../../testing/src/words.ts';
import type { BudgetStore, Confirm, Step } from '../../src/index.ts';
import type {
  Amount,
  BudgetLimits,
  BudgetTotals,
  MaybePromise,
  Purse,
  ReservationResult,
} from '../../src/kit.ts';
import type { Op, Party, World } from './world.ts';

/** What a model answered. */
export interface Answer {
  readonly text: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** What was served before a call broke off. */
export class BrokenOff extends Error {
  readonly inputTokens: number;
  readonly outputTokens: number;

  constructor(inputTokens: number, outputTokens: number) {
    super('the connection broke off');
    this.inputTokens = inputTokens;
    this.outputTokens = outputTokens;
  }

  get served(): number {
    return this.inputTokens + this.outputTokens;
  }
}

const FRESH = 100_000;
const MOST_CHUNKS = 80;

/** Something ever new. */
export function news(random: SeededRandom): string {
  return words(random, 5, FRESH);
}

/** How long a step of work takes: no time, a little, or far too much. */
function delay(random: SeededRandom): number {
  if (random.oneIn(4)) return 0;
  return random.below(random.oneIn(40) ? 30_000 : 300);
}

/** Work outside: it ends in time, fails, hangs, and heeds the signal or does not. */
export function work<T>(
  { scheduler }: World,
  { random }: Party,
  step: Pick<Step, 'signal'>,
  ending: { readonly gives: () => T; readonly fails: () => unknown; readonly failsIn: number },
): Promise<T> {
  const ms = delay(random);
  const isHanging = random.oneIn(100);
  const isHeeding = random.below(3) > 0;
  const isFailing = random.oneIn(ending.failsIn);
  return new Promise((resolve, reject) => {
    const task = isHanging
      ? undefined
      : scheduler.after(ms, () => (isFailing ? reject(ending.fails()) : resolve(ending.gives())));
    if (!isHeeding) return;
    step.signal.addEventListener('abort', () => {
      if (task !== undefined) scheduler.clear(task);
      reject(ending.fails());
    });
  });
}

/** A model that streams its answer, which may end anywhere: it breaks off, hangs, or is given up. */
export async function serve(
  { scheduler }: World,
  { party: { random } }: Op,
  text: string,
  most: number,
  step: Pick<Step, 'signal'>,
): Promise<Answer> {
  const inputTokens = random.below(most);
  const chunks = 1 + random.below(Math.min(MOST_CHUNKS, most - inputTokens));
  const signal = random.below(3) > 0 ? step.signal : undefined;
  const breaksOffAt = random.oneIn(30) ? random.below(chunks) : chunks;
  const hangsAt = random.oneIn(60) ? random.below(chunks) : chunks;
  for (let chunk = 0; chunk < chunks; chunk++) {
    if (chunk === hangsAt) await untilAborted(signal);
    else await scheduler.pause(chunk === 0 ? delay(random) : random.below(60));
    if (chunk >= breaksOffAt || signal?.aborted === true) throw new BrokenOff(inputTokens, chunk);
  }
  return { text, inputTokens, outputTokens: chunks };
}

function untilAborted(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => signal?.addEventListener('abort', () => resolve()));
}

/** A store that answers late, never, or not at all; what it rejects it has not done. */
export class ShakyStore implements BudgetStore {
  readonly #inner: BudgetStore;
  readonly #world: World;
  readonly #random: SeededRandom;
  isWell = false;

  constructor(inner: BudgetStore, world: World) {
    this.#inner = inner;
    this.#world = world;
    this.#random = world.chance('store');
  }

  reserve(
    id: string,
    amount: Amount,
    limits: BudgetLimits,
    purses?: readonly Purse[],
  ): MaybePromise<ReservationResult> {
    return this.#answer(() => this.#inner.reserve(id, amount, limits, purses));
  }

  settle(
    id: string | undefined,
    actual: Amount,
    purses?: readonly string[],
  ): MaybePromise<BudgetTotals> {
    return this.#answer(() => this.#inner.settle(id, actual, purses));
  }

  totals(purses?: readonly string[]): MaybePromise<BudgetTotals> {
    return this.#answer(() => this.#inner.totals(purses));
  }

  #answer<T>(ask: () => MaybePromise<T>): MaybePromise<T> {
    const random = this.#random;
    const fate = this.isWell ? 0 : random.below(100);
    if (fate < 30) return ask();
    if (fate === 99) throw new Error('the store is down');
    const { scheduler } = this.#world;
    if (fate === 98) return scheduler.pause(random.below(50)).then(() => fail());
    if (fate === 97) {
      ask();
      return new Promise(() => {});
    }
    const late = fate === 96 ? 20_000 : 40;
    if (fate < 60) return scheduler.pause(random.below(late)).then(ask);
    const answer = ask();
    return scheduler.pause(random.below(late)).then(() => answer);
  }
}

function fail(): never {
  throw new Error('the store is down');
}

/** A judge that knows, and answers when it likes: the agents are called by the names of their conversations. */
export function makeJudge(world: World, looping: ReadonlySet<string>): Confirm {
  const random: Map<string, SeededRandom> = new Map();
  return ({ signals }) => {
    const name = signals[0]?.agent.split(' of ')[1] ?? '';
    const own = random.get(name) ?? world.chance(`judge of ${name}`);
    random.set(name, own);
    const fate = own.below(20);
    const probability = looping.has(name) ? 1 : 0;
    if (fate === 0) return new Promise(() => {});
    if (fate === 1) throw new Error('the judge is out');
    if (fate < 5) return probability;
    world.books.untold += 10;
    const usage = { inputTokens: 9, outputTokens: 1, costUsd: 0 };
    const answer = { probability, usage };
    return world.scheduler.pause(own.below(fate < 7 ? 90_000 : 900)).then(() => answer);
  };
}
