import { type BudgetStore, MemoryBudgetStore } from '@teamfuse/core';
import type { Amount, BudgetLimits, BudgetTotals, MaybePromise, Purse } from '@teamfuse/core/kit';
import { FakeClock } from '../fake-clock.ts';
import type { SeededRandom } from '../seeded-random.ts';
import type { BudgetStoreServer, MakeBudgetStore } from './budget-store-setup.ts';
import type { Expect } from './contract-check.ts';

export const NOTHING: Amount = { nanoUsd: 0, tokens: 0 };
export const RESERVATION_MS = 60_000;
export const MOST: number = Number.MAX_SAFE_INTEGER;

export type BudgetRule = readonly [
  id: string,
  title: string,
  check: (expect: Expect, store: BudgetStore, books: BooksOfCheck) => Promise<void>,
];

let checks = 0;

/** The books that one check is about. */
export class BooksOfCheck {
  readonly #make: MakeBudgetStore;
  readonly #server: BudgetStoreServer | undefined;
  readonly #clock: FakeClock = new FakeClock(1_000_000_000);
  readonly #budget: string = `check {${++checks}}`;

  constructor(make: MakeBudgetStore, server: BudgetStoreServer | undefined) {
    this.#make = make;
    this.#server = server;
  }

  /** A store of these books, in a process whose clock is out by so much. */
  store(skewMs = 0): MaybePromise<BudgetStore> {
    const now = (): number => this.#clock.now() + skewMs;
    const setup = { now, reservationMs: RESERVATION_MS };
    return this.#make(this.#server === undefined ? setup : { ...setup, budget: this.#budget });
  }

  /** A store in memory, by the same clock. */
  inMemory(): BudgetStore {
    const { now } = this.#clock;
    return new MemoryBudgetStore(undefined, { now, reservationMs: RESERVATION_MS });
  }

  async advance(ms: number): Promise<void> {
    this.#clock.advance(ms);
    await this.#server?.advance(ms, this.#budget);
  }
}

export interface AnyStep {
  readonly title: string;
  readonly ask: (store: BudgetStore) => MaybePromise<unknown>;
  readonly on: (answer: unknown) => unknown;
}

export function anyStep(random: SeededRandom, step: number): AnyStep {
  // Ever new ones, some of which are over, for less long than a store has to know it.
  const id = `call ${step + random.below(8)}`;
  const amount = of(random.below(40), random.below(40));
  const purses: Purse[] = random.oneIn(2)
    ? [{ name: `agent ${random.below(3)}`, tokens: 150 }]
    : [];
  const names = purses.map(({ name }) => name);
  const limits: BudgetLimits = { nanoUsd: 3000, tokens: 3000 };
  const on = (answer: unknown): unknown => JSON.parse(JSON.stringify(answer));
  if (random.oneIn(3)) {
    return { title: `settle ${id}`, ask: (store) => store.settle(id, amount, names), on };
  }
  return { title: `reserve ${id}`, ask: (store) => store.reserve(id, amount, limits, purses), on };
}

export function of(nanoUsd: number, tokens: number): Amount {
  return { nanoUsd, tokens };
}

export function granted(totals: BudgetTotals): unknown {
  return { isGranted: true, totals };
}

/** The whole budget's books, in a fixed order. */
export function plainBooks({ spent, reserved }: BudgetTotals): BudgetTotals {
  return {
    spent: of(spent.nanoUsd, spent.tokens),
    reserved: of(reserved.nanoUsd, reserved.tokens),
  };
}

export function plain({
  isGranted,
  totals,
}: {
  isGranted: boolean;
  totals: BudgetTotals;
}): unknown {
  return { isGranted, totals: plainBooks(totals) };
}
