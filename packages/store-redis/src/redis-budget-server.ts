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

/** How scripts run that change nothing that counts, and those that do. */
export interface Scripts {
  readonly read: RunScript;
  readonly write: RunScript;
}

/** The books of a budget in Redis. */
export class RedisBudgetServer implements BudgetServer {
  readonly #read: (script: Script, args: readonly string[]) => Promise<readonly string[]>;
  readonly #write: (script: Script, args: readonly string[]) => Promise<readonly string[]>;
  readonly #excess: string;

  constructor({ read, write }: Scripts, prefix: string, options: ReadServerStoreOptions) {
    const { budget, reservationMs, windowMs = 0, settledMs, excess } = options;
    // The braces keep all keys of a budget on one node of a cluster.
    const keys = PARTS.map((part) => `${prefix}:{${encodeURIComponent(budget)}}:${part}`);
    const times = [reservationMs, windowMs, settledMs].map(String);
    this.#read = (script, args) => read(script, keys, [...times, ...args]);
    this.#write = (script, args) => write(script, keys, [...times, ...args]);
    this.#excess = excess;
  }

  async reserve(
    id: string,
    amount: Amount,
    limits: BudgetLimits,
    purses: readonly Purse[],
  ): Promise<ReservationResult> {
    const parts = limitsOf(limits, purses);
    const [flag, ...figures] = await this.#write(RESERVE, [id, ...amountOf(amount), ...parts]);
    return { isGranted: flag === '1', totals: booksIn(figures) };
  }

  async settle({ id, actual, purses }: Booking): Promise<BudgetTotals> {
    const args = [id, this.#excess, ...amountOf(actual), WHOLE, ...purses];
    return booksIn(await this.#write(SETTLE, args));
  }

  async totals(purses: readonly string[]): Promise<BudgetTotals> {
    return booksIn(await this.#read(TOTALS, [WHOLE, ...purses]));
  }

  keep(ids: readonly string[]): Promise<readonly string[]> {
    return this.#write(KEEP, ids);
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
    const [flag, nanoUsd, tokens, ...figures] = await this.#write(LEASE, [
      ...[id, String(number), isOver ? '1' : '0', this.#excess, String(parts)],
      ...amounts,
      ...[String(1 + purses.length), ...limitsOf(limits, purses)],
      ...bookings,
    ]);
    const idle = { nanoUsd: Number(nanoUsd), tokens: Number(tokens) };
    return { isHeld: flag === '1', idle, totals: booksIn(figures) };
  }

  async overdraft(): Promise<Amount> {
    const [nanoUsd, tokens] = (await this.#read(OVERDRAFT, [])).map(Number);
    return { nanoUsd: nanoUsd ?? 0, tokens: tokens ?? 0 };
  }
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
