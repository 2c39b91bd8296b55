import type {
  Amount,
  BudgetLimits,
  BudgetTotals,
  Purse,
  ReservationResult,
} from '@teamfuse/core/kit';
import type { CommonOptions, NoteOptions } from '../agreement.ts';
import {
  type Booking,
  type BudgetServer,
  booksIn,
  type LeaseAnswer,
  type LeaseRequest,
  type ReadServerStoreOptions,
} from '../server/index.ts';
import { noteOptions } from './note-options.ts';
import { askRows, callFunction, type PostgresClient } from './postgres-client.ts';
import { textKey } from './text-key.ts';

const WHOLE = '';

/** The books of a budget in PostgreSQL. */
export class PostgresBudgetServer implements BudgetServer {
  readonly #client: PostgresClient;
  readonly #budget: string;
  readonly #lifeMs: number;
  readonly #excess: string;
  /** What every function begins with. */
  readonly #first: readonly unknown[];

  constructor(client: PostgresClient, options: ReadServerStoreOptions) {
    const { budget, reservationMs, windowMs = 0, settledMs, excess } = options;
    this.#client = client;
    this.#budget = textKey(budget);
    this.#lifeMs = reservationMs;
    this.#excess = excess;
    this.#first = [this.#budget, windowMs, settledMs];
  }

  async reserve(
    id: string,
    { nanoUsd, tokens }: Amount,
    limits: BudgetLimits,
    purses: readonly Purse[],
  ): Promise<ReservationResult> {
    const call = [this.#lifeMs, textKey(id), nanoUsd, tokens];
    const [flag, ...figures] = await this.#call('reserve', [...call, ...limitsOf(limits, purses)]);
    return { isGranted: flag === '1', totals: booksIn(figures) };
  }

  async settle({ id, actual, purses }: Booking): Promise<BudgetTotals> {
    const { nanoUsd, tokens } = actual;
    const names = [WHOLE, ...purses].map(textKey);
    return booksIn(await this.#call('settle', [this.#excess, textKey(id), nanoUsd, tokens, names]));
  }

  async totals(purses: readonly string[]): Promise<BudgetTotals> {
    return booksIn(await this.#call('totals', [[WHOLE, ...purses].map(textKey)]));
  }

  async keep(ids: readonly string[]): Promise<readonly string[]> {
    const gone = new Set(await this.#call('keep', [this.#lifeMs, ids.map(textKey)]));
    return ids.filter((id) => gone.has(textKey(id)));
  }

  async lease(request: LeaseRequest): Promise<LeaseAnswer> {
    const { id, number, isOver, limits, purses, bookings, calls, kept, wanted, parts } = request;
    const amounts = [calls, kept, wanted].flatMap((one) => [one.nanoUsd, one.tokens]);
    const [flag, usd, tokens, ...figures] = await this.#call('lease', [
      ...[this.#lifeMs, this.#excess, textKey(id), number, isOver, parts],
      ...amounts,
      ...limitsOf(limits, purses),
      JSON.stringify(bookings.map(rowOf)),
    ]);
    const idle = { nanoUsd: Number(usd), tokens: Number(tokens) };
    return { isHeld: flag === '1', idle, totals: booksIn(figures) };
  }

  agree(...options: Parameters<NoteOptions>): Promise<CommonOptions> {
    return noteOptions(this.#client, `budget ${this.#budget}`, ...options);
  }

  async overdraft(): Promise<Amount> {
    const sql =
      'SELECT usd_over AS usd, tokens_over AS tokens FROM teamfuse.purse WHERE budget = $1 AND purse = $2';
    const [row] = await askRows(this.#client, sql, [this.#budget, WHOLE]);
    const { usd = 0, tokens = 0 } = Object(row);
    return { nanoUsd: Number(usd), tokens: Number(tokens) };
  }

  async #call(name: string, args: readonly unknown[]): Promise<readonly string[]> {
    const answer = await callFunction(this.#client, name, [...this.#first, ...args]);
    return answer as readonly string[];
  }
}

/** The names of the whole budget and the purses, and their limits in each unit. */
function limitsOf(limits: BudgetLimits, purses: readonly Purse[]): readonly unknown[] {
  const all = [{ ...limits, name: WHOLE }, ...purses];
  const of = (unit: keyof Amount) => all.map((one) => one[unit] ?? null);
  return [all.map(({ name }) => textKey(name)), of('nanoUsd'), of('tokens')];
}

/** A booking as the function `lease` reads it. */
function rowOf({ id, actual, reserved, purses }: Booking): object {
  return {
    id: textKey(id),
    usd: actual.nanoUsd,
    tokens: actual.tokens,
    usd_reserved: reserved?.nanoUsd,
    tokens_reserved: reserved?.tokens,
    purses: [WHOLE, ...purses].map(textKey),
  };
}
