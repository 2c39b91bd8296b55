import { MemoryBudgetStore } from '@teamfuse/core';
import {
  type Amount,
  BoundedMap,
  type BudgetLimits,
  type BudgetTotals,
  type Purse,
  type PurseTotals,
} from '@teamfuse/core/kit';
import { addBooks, NOTHING } from './amounts.ts';

const WHOLE = '';
/** Of so many purses at most the books are known while the server is away. */
const MAX_SEEN = 10_000;
const NONE: PurseTotals = { spent: NOTHING, reserved: NOTHING };

/** What this process knows of the books, and what it admits by itself while their server is away. */
export class LocalShare {
  readonly #share: number;
  /** The books at the last answer, those seen longest ago first. */
  readonly #seen: BoundedMap<string, PurseTotals> = new BoundedMap(MAX_SEEN);
  /** What was admitted since. */
  #own: MemoryBudgetStore = new MemoryBudgetStore();

  /** `share` is the part of what was left that this process may spend by itself; 1 or more counts nothing. */
  constructor(share: number) {
    this.#share = share;
  }

  /** Notes the books of an answer. */
  see(totals: BudgetTotals, names: readonly string[]): void {
    this.#note(WHOLE, totals);
    for (const [i, name] of names.entries()) {
      const books = totals.purses?.[i];
      if (books !== undefined) this.#note(name, books);
    }
  }

  /** The books of a purse at the last answer; of the whole budget with the empty name. */
  seen(name: string): PurseTotals | undefined {
    return this.#seen.get(name);
  }

  /** The server is back, and keeps the books again. */
  begin(): void {
    this.#own = new MemoryBudgetStore();
  }

  reserve(id: string, amount: Amount, limits: BudgetLimits, purses: readonly Purse[]): boolean {
    const whole = this.#left(WHOLE, limits);
    const parts = purses.map((one) => ({ ...this.#left(one.name, one), name: one.name }));
    return this.#own.reserve(id, amount, whole, parts).isGranted;
  }

  settle(id: string, actual: Amount, purses: readonly string[]): void {
    this.#own.settle(id, actual, purses);
  }

  /** The books as far as they are known. */
  totals(names: readonly string[]): BudgetTotals {
    const { purses = [], ...whole } = this.#own.totals(names);
    const books = addBooks(this.#seen.get(WHOLE) ?? NONE, whole);
    if (names.length === 0) return books;
    const add = (one: PurseTotals, i: number): PurseTotals =>
      addBooks(this.#seen.get(names[i] ?? '') ?? NONE, one);
    return { ...books, purses: purses.map(add) };
  }

  #note(name: string, { spent, reserved }: PurseTotals): void {
    this.#seen.set(name, { spent, reserved });
  }

  /** The share of what was left under these limits. Where nothing is known of a purse, nothing is left. */
  #left(name: string, limits: BudgetLimits): BudgetLimits {
    const seen = this.#seen.get(name);
    const left = (unit: keyof Amount): BudgetLimits => {
      const limit = limits[unit];
      if (limit === undefined) return {};
      if (seen === undefined) return { [unit]: -1 };
      const rest = Math.max(0, limit - seen.spent[unit] - seen.reserved[unit]);
      return { [unit]: Math.floor(rest * this.#share) };
    };
    return { ...left('nanoUsd'), ...left('tokens') };
  }
}
