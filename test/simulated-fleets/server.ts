import type { Amount, BudgetTotals, Purse } from '../../packages/core/src/kit.ts';
import { newsIn } from '../../packages/stores/src/agreement.ts';
import { MemoryCircuitStore } from '../../packages/stores/src/fleet/index.ts';
import { ServerBooks } from '../servers/server-books.ts';

export const RESERVATION_MS = 6_000;

/** A server of a fleet, as Redis or PostgreSQL would be: it evicts, forgets its scripts, and undoes what others are in the way of. */
export class SimulatedServer {
  readonly circuits: MemoryCircuitStore;
  /** The scripts that it knows. */
  readonly scripts: Set<string> = new Set();
  /** With which options processes share what it keeps. */
  readonly noted: Map<string, Record<string, string>> = new Map();
  books: ServerBooks;
  /** Which books these are. */
  epoch = 1;
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
    this.circuits = new MemoryCircuitStore({ now });
    this.books = new ServerBooks(now, RESERVATION_MS);
  }

  /** Loses the books. */
  evict(): void {
    this.epoch++;
    this.books = new ServerBooks(this.#now, RESERVATION_MS);
  }

  /** Notes options beside those that are there, which are the answer, unless others than are known are in the way. */
  note(what: string, options: string, known: string): string {
    const before = this.noted.get(what);
    const own = JSON.parse(options);
    if (newsIn(before ?? {}, own, JSON.parse(known)).length === 0) {
      this.noted.set(what, { ...before, ...own });
    }
    return before === undefined ? '' : JSON.stringify(before);
  }
}

/** The books of purses, as servers tell them. The first is the whole budget. */
export function figuresOf(totals: BudgetTotals): readonly string[] {
  return [totals, ...(totals.purses ?? [])].flatMap(({ spent, reserved }) =>
    [spent.nanoUsd, spent.tokens, reserved.nanoUsd, reserved.tokens].map(String),
  );
}

export function amountOf(nanoUsd: unknown, tokens: unknown): Amount {
  return { nanoUsd: Number(nanoUsd), tokens: Number(tokens) };
}

/** A purse with the limits that bind. */
export function purseOf(name: string, nanoUsd: unknown, tokens: unknown): Purse {
  const isLimit = (limit: unknown): boolean => limit !== '' && limit !== null;
  return {
    name,
    ...(isLimit(nanoUsd) && { nanoUsd: Number(nanoUsd) }),
    ...(isLimit(tokens) && { tokens: Number(tokens) }),
  };
}
