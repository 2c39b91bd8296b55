import type {
  Amount,
  BudgetLimits,
  BudgetTotals,
  Purse,
  ReservationResult,
} from '@teamfuse/core/kit';
import {
  type Booking,
  type BudgetServer,
  booksIn,
  type LeaseAnswer,
  type LeaseRequest,
  type ReadServerStoreOptions,
} from '@teamfuse/stores/server';
import type { RunScript } from './redis-client.ts';
import { KEEP, LEASE, OVERDRAFT, RESERVE, type Script, SETTLE, TOTALS } from './scripts.ts';

const WHOLE = '';
const PARTS = ['books', 'held', 'due', 'settled', 'recent', 'leases'];

/** The books of a budget in Redis. */
export class RedisBudgetServer implements BudgetServer {
  readonly #run: (script: Script, args: readonly string[]) => Promise<readonly string[]>;
  readonly #excess: string;

  constructor(run: RunScript, prefix: string, options: ReadServerStoreOptions) {
    const { budget, reservationMs, windowMs = 0, settledMs, excess } = options;
    const keys = PARTS.map((part) => keyOf(prefix, budget, part));
    const times = [reservationMs, windowMs, settledMs].map(String);
    this.#run = (script, args) => run(script, keys, [...times, ...args]);
    this.#excess = excess;
  }

  async reserve(
    id: string,
    amount: Amount,
    limits: BudgetLimits,
    purses: readonly Purse[],
  ): Promise<ReservationResult> {
    const parts = limitsOf(limits, purses);
    const [flag, ...figures] = await this.#run(RESERVE, [id, ...amountOf(amount), ...parts]);
    return { isGranted: flag === '1', totals: booksIn(figures) };
  }

  async settle({ id, actual, purses }: Booking): Promise<BudgetTotals> {
    const args = [id, this.#excess, ...amountOf(actual), WHOLE, ...purses];
    return booksIn(await this.#run(SETTLE, args));
  }

  async totals(purses: readonly string[]): Promise<BudgetTotals> {
    return booksIn(await this.#run(TOTALS, [WHOLE, ...purses]));
  }

  keep(ids: readonly string[]): Promise<readonly string[]> {
    return this.#run(KEEP, ids);
  }

  async lease(request: LeaseRequest): Promise<LeaseAnswer> {
    const { id, number, isOver, limits, purses, calls, kept, wanted, parts } = request;
    const amounts = [calls, kept, wanted].flatMap(amountOf);
    const bookings = request.bookings.flatMap((one) => [
      one.id,
      ...amountOf(one.actual),
      ...(one.reserved === undefined ? ['', ''] : amountOf(one.reserved)),
      String(1 + one.purses.length),
      WHOLE,
      ...one.purses,
    ]);
    const [flag, nanoUsd, tokens, ...figures] = await this.#run(LEASE, [
      ...[id, String(number), isOver ? '1' : '0', this.#excess, String(parts)],
      ...amounts,
      ...[String(1 + purses.length), ...limitsOf(limits, purses)],
      ...bookings,
    ]);
    const idle = { nanoUsd: Number(nanoUsd), tokens: Number(tokens) };
    return { isHeld: flag === '1', idle, totals: booksIn(figures) };
  }

  async overdraft(): Promise<Amount> {
    const [nanoUsd, tokens] = (await this.#run(OVERDRAFT, [])).map(Number);
    return { nanoUsd: nanoUsd ?? 0, tokens: tokens ?? 0 };
  }
}

/** The key of a part of a budget. The braces keep all of them on one node of a cluster. */
export function keyOf(prefix: string, budget: string, part: string): string {
  return `${prefix}:{${encodeURIComponent(budget)}}:${part}`;
}

/** The whole budget and the purses, each with its limits. */
function limitsOf(limits: BudgetLimits, purses: readonly Purse[]): readonly string[] {
  return [{ ...limits, name: WHOLE }, ...purses].flatMap(({ name, nanoUsd, tokens }) => [
    name,
    limitOf(nanoUsd),
    limitOf(tokens),
  ]);
}

function amountOf({ nanoUsd, tokens }: Amount): readonly string[] {
  return [String(nanoUsd), String(tokens)];
}

/** Limits that no sum can reach do not bind. */
function limitOf(limit: number | undefined): string {
  if (limit === undefined || limit > Number.MAX_SAFE_INTEGER) return '';
  return String(Math.floor(limit));
}
