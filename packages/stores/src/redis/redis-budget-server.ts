import {
  type Amount,
  BoundedMap,
  type BudgetLimits,
  type BudgetTotals,
  type Purse,
  type ReservationResult,
  tell,
} from '@teamfuse/core/kit';
import { MACHINE_TIMERS, within } from '@teamfuse/core/sharing';
import { type CommonOptions, commonOptionsIn, type NoteOptions } from '../agreement.ts';
import { LostBooksError } from '../errors.ts';
import {
  type Booking,
  type BudgetServer,
  booksIn,
  type LeaseAnswer,
  type LeaseRequest,
  type ReadServerStoreOptions,
} from '../server/index.ts';
import type { RunScript } from './redis-client.ts';
import type { Script } from './script.ts';
import { AGREE, KEEP, LEASE, OVERDRAFT, RESERVE, RESTORE, SETTLE, TOTALS } from './scripts.ts';

const WHOLE = '';
const ANY_BOOKS = '';
/** Of so many purses at most it is known what was spent. */
const MAX_KNOWN = 10_000;
const PARTS = ['books', 'held', 'due', 'settled', 'recent', 'leases'];

/** The books of a budget in Redis. */
export class RedisBudgetServer implements BudgetServer {
  readonly #run: (script: Script, args: readonly string[]) => Promise<readonly string[]>;
  readonly #excess: string;
  readonly #options: ReadServerStoreOptions;
  /** Which books the server had at the last answer, and what was spent in them. */
  #epoch: string | undefined;
  readonly #spent: BoundedMap<string, Amount> = new BoundedMap(MAX_KNOWN);
  #restoring: Promise<void> | undefined;

  constructor(run: RunScript, prefix: string, options: ReadServerStoreOptions) {
    const { budget, reservationMs, windowMs = 0, settledMs, excess } = options;
    const keys = PARTS.map((part) => keyOf(prefix, budget, part));
    const times = [reservationMs, windowMs, settledMs].map(String);
    this.#run = (script, args) => run(script, keys, [...times, ...args]);
    this.#excess = excess;
    this.#options = options;
  }

  reserve(
    id: string,
    amount: Amount,
    limits: BudgetLimits,
    purses: readonly Purse[],
  ): Promise<ReservationResult> {
    const parts = limitsOf(limits, purses);
    return this.#ask(RESERVE, [id, ...amountOf(amount), ...parts], ([flag, ...figures]) => ({
      isGranted: flag === '1',
      totals: this.#known(figures, purses.map(nameOf)),
    }));
  }

  settle({ id, actual, purses }: Booking): Promise<BudgetTotals> {
    const args = [id, this.#excess, ...amountOf(actual), WHOLE, ...purses];
    return this.#ask(SETTLE, args, (figures) => this.#known(figures, purses));
  }

  totals(purses: readonly string[]): Promise<BudgetTotals> {
    return this.#ask(TOTALS, [WHOLE, ...purses], (figures) => this.#known(figures, purses));
  }

  keep(ids: readonly string[]): Promise<readonly string[]> {
    return this.#ask(KEEP, ids, (gone) => gone);
  }

  lease(request: LeaseRequest): Promise<LeaseAnswer> {
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
    const args = [
      ...[id, String(number), isOver ? '1' : '0', this.#excess, String(parts)],
      ...amounts,
      ...[String(1 + purses.length), ...limitsOf(limits, purses)],
      ...bookings,
    ];
    return this.#ask(LEASE, args, ([flag, nanoUsd, tokens, ...figures]) => ({
      isHeld: flag === '1',
      idle: { nanoUsd: Number(nanoUsd), tokens: Number(tokens) },
      totals: this.#known(figures, purses.map(nameOf)),
    }));
  }

  agree(...options: Parameters<NoteOptions>): Promise<CommonOptions> {
    const args = options.map((one) => JSON.stringify(one));
    return this.#ask(AGREE, args, ([before]) => commonOptionsIn(before));
  }

  overdraft(): Promise<Amount> {
    return this.#ask(OVERDRAFT, [], ([nanoUsd, tokens]) => ({
      nanoUsd: Number(nanoUsd ?? 0),
      tokens: Number(tokens ?? 0),
    }));
  }

  /**
   * Asks the server, and reads the answer before the next one comes. If the server has lost its books, it has changed nothing, and
   * gets back what was known of them.
   * @throws {@link LostBooksError}
   */
  async #ask<T>(
    script: Script,
    args: readonly string[],
    read: (answer: readonly string[]) => T,
  ): Promise<T> {
    const answer = await this.#run(script, [...args, this.#epoch ?? ANY_BOOKS]);
    const epoch = answer.at(-1);
    this.#epoch ??= epoch;
    // An answer from the books that were lost comes too late, once it is decided what the server gets back.
    if (epoch === this.#epoch && this.#restoring === undefined) return read(answer.slice(0, -1));
    this.#restoring ??= this.#restoredInTime().finally(() => {
      this.#restoring = undefined;
    });
    await this.#restoring;
    throw this.#lost();
  }

  /** The answer may be lost as any other. Then the next question finds that the books are. */
  #restoredInTime(): Promise<void> {
    const { timeoutMs, timers = MACHINE_TIMERS } = this.#options;
    return within(this.#restore(), timeoutMs, timers, () => {
      throw this.#lost();
    });
  }

  async #restore(): Promise<void> {
    const known = this.#spent.entries();
    const args = known.flatMap(([name, spent]) => [name, ...amountOf(spent)]);
    const epoch = (await this.#run(RESTORE, [...args, ANY_BOOKS])).at(-1);
    if (epoch === this.#epoch) return;
    this.#epoch = epoch;
    const { onError } = this.#options;
    if (onError !== undefined) tell(onError, this.#lost());
  }

  #lost(): LostBooksError {
    return new LostBooksError(this.#options.budget, this.#spent.get(WHOLE)?.nanoUsd ?? 0);
  }

  /** The books in an answer, which are remembered. */
  #known(figures: readonly string[], names: readonly string[]): BudgetTotals {
    const totals = booksIn(figures);
    this.#spent.set(WHOLE, totals.spent);
    for (const [i, { spent }] of (totals.purses ?? []).entries()) {
      const name = names[i];
      if (name !== undefined) this.#spent.set(name, spent);
    }
    return totals;
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

function nameOf({ name }: Purse): string {
  return name;
}

function amountOf({ nanoUsd, tokens }: Amount): readonly string[] {
  return [String(nanoUsd), String(tokens)];
}

/** Limits that no sum can reach do not bind. */
function limitOf(limit: number | undefined): string {
  if (limit === undefined || limit > Number.MAX_SAFE_INTEGER) return '';
  return String(Math.floor(limit));
}
