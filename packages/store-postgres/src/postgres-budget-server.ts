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
  type ReadServerStoreOptions,
} from '@teamfuse/stores/server';
import type { PostgresClient } from './postgres-client.ts';
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
    const all = [{ ...limits, name: WHOLE }, ...purses];
    const names = all.map(({ name }) => textKey(name));
    const limitsOf = (unit: keyof Amount) => all.map((one) => one[unit] ?? null);
    const call = [this.#lifeMs, textKey(id), nanoUsd, tokens];
    const parts = [names, limitsOf('nanoUsd'), limitsOf('tokens')];
    const [flag, ...figures] = await this.#call('reserve', [...call, ...parts]);
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

  async overdraft(): Promise<Amount> {
    const sql =
      'SELECT usd_over AS usd, tokens_over AS tokens FROM teamfuse.purse WHERE budget = $1 AND purse = $2';
    const { rows } = await this.#client.query(sql, [this.#budget, WHOLE]);
    const { usd = 0, tokens = 0 } = Object(rows[0]);
    return { nanoUsd: Number(usd), tokens: Number(tokens) };
  }

  async #call(name: string, args: readonly unknown[]): Promise<readonly string[]> {
    const values = [...this.#first, ...args];
    const places = values.map((_, i) => `$${i + 1}`).join(', ');
    const { rows } = await this.#client.query(
      `SELECT teamfuse.${name}(${places}) AS answer`,
      values,
    );
    return Object(rows[0]).answer;
  }
}
