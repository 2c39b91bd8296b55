import { InvalidSnapshotError } from '../../errors.ts';
import type { JsonValue } from '../../json.ts';
import { type Amount, isAmount, NOTHING } from '../amount.ts';
import { Account } from './account.ts';
import type {
  BudgetLimits,
  BudgetStore,
  BudgetTotals,
  Purse,
  ReservationResult,
} from './budget-store.ts';

/** Options of {@link MemoryBudgetStore}. */
export interface MemoryBudgetStoreOptions {
  /** Milliseconds after which spend is forgotten; without it, spend adds up for ever. */
  readonly windowMs?: number | undefined;
  /**
   * Milliseconds after which a reservation that was never settled is released, such as that of a call whose process died.
   * @defaultValue 3_600_000
   */
  readonly reservationMs?: number | undefined;
  /**
   * The clock, in milliseconds.
   * @defaultValue Date.now
   */
  readonly now?: (() => number) | undefined;
}

const RESERVATION_MS = 3_600_000;
/** Beyond so many, the purse that was used least recently is forgotten: a flood of names must not fill the memory. */
const MAX_PURSES = 10_000;

/** A reservation with its time, and the purses it is held in besides the whole budget. */
interface Held extends Amount {
  readonly at: number;
  readonly purses: readonly string[];
}

/** Keeps the spend of one process in memory and answers at once. */
export class MemoryBudgetStore implements BudgetStore {
  readonly #windowMs: number | undefined;
  readonly #reservationMs: number;
  readonly #now: () => number;
  #whole: Account = new Account();
  /** The least recently used first. */
  #purses: Map<string, Account> = new Map();
  /** The oldest first. */
  #held: Map<string, Held> = new Map();

  constructor(
    spent: Amount = NOTHING,
    { windowMs, reservationMs = RESERVATION_MS, now = Date.now }: MemoryBudgetStoreOptions = {},
  ) {
    this.#windowMs = windowMs;
    this.#reservationMs = reservationMs;
    this.#now = now;
    this.#book(this.#whole, spent);
  }

  reserve(
    id: string,
    { nanoUsd, tokens }: Amount,
    limits: BudgetLimits,
    purses: readonly Purse[] = [],
  ): ReservationResult {
    const names = purses.map(({ name }) => name);
    this.#expire();
    const amount = { nanoUsd, tokens };
    const replaced = this.#held.get(id);
    this.#release(id);
    const isGranted =
      this.#current(this.#whole).fits(amount, limits) &&
      purses.every((purse) => this.#purse(purse.name).fits(amount, purse));
    if (isGranted) this.#hold(id, { ...amount, at: this.#now(), purses: names });
    else if (replaced !== undefined) {
      this.#hold(id, replaced);
      // It was not the latest one, and the oldest has to stay the first.
      this.#held = new Map([...this.#held].sort(([, a], [, b]) => a.at - b.at));
    }
    return { isGranted, totals: this.totals(names) };
  }

  settle(id: string | undefined, actual: Amount, purses: readonly string[] = []): BudgetTotals {
    if (id !== undefined) this.#release(id);
    this.#book(this.#whole, actual);
    for (const name of purses) this.#book(this.#purse(name), actual);
    return this.totals(purses);
  }

  totals(purses: readonly string[] = []): BudgetTotals {
    this.#expire();
    const { totals } = this.#current(this.#whole);
    if (purses.length === 0) return totals;
    return { ...totals, purses: purses.map((name) => this.#purse(name).totals) };
  }

  /** The spend as plain JSON. */
  snapshot(): JsonValue {
    return {
      ...this.#whole.snapshot(),
      held: [...this.#held].map(([id, { purses, ...amount }]) => [
        id,
        { ...amount, purses: [...purses] },
      ]),
      purses: [...this.#purses].map(([name, account]) => [name, account.snapshot()]),
    };
  }

  /**
   * Takes a {@link MemoryBudgetStore.snapshot} back.
   * @throws {@link InvalidSnapshotError} when it is not one.
   */
  restore(snapshot: JsonValue): void {
    const { held, purses } = Object(snapshot) as Record<string, unknown>;
    const whole = Account.from('budget', snapshot);
    if (!Array.isArray(held) || !held.every(isHeld)) {
      throw new InvalidSnapshotError(
        'budget.held',
        'pairs of an id and an amount with its time',
        held,
      );
    }
    if (!Array.isArray(purses) || !purses.every(isNamed)) {
      throw new InvalidSnapshotError('budget.purses', 'pairs of a name and its books', purses);
    }
    const accounts = new Map(
      purses.map(([name, books]) => [name, Account.from('budget.purses', books)] as const),
    );
    this.#whole = whole;
    this.#purses = accounts;
    this.#held = new Map();
    const now = this.#now();
    // None was made later than now, or it would never expire.
    for (const [id, one] of held) this.#hold(id, { ...one, at: Math.min(one.at, now) });
  }

  #hold(id: string, held: Held): void {
    this.#held.set(id, held);
    this.#whole.hold(held);
    for (const name of held.purses) this.#purse(name).hold(held);
  }

  #release(id: string): void {
    const held = this.#held.get(id);
    if (held === undefined) return;
    this.#held.delete(id);
    this.#whole.release(held);
    for (const name of held.purses) this.#purses.get(name)?.release(held);
  }

  #book(account: Account, amount: Amount): void {
    account.book(amount, this.#windowMs === undefined ? undefined : this.#now());
  }

  /** Releases reservations that were never settled. */
  #expire(): void {
    if (this.#held.size === 0) return;
    const expired = this.#now() - this.#reservationMs;
    for (const [id, { at }] of this.#held) {
      if (at > expired) break;
      this.#release(id);
    }
  }

  /** An account without the spend that lies before the window. */
  #current(account: Account): Account {
    if (this.#windowMs !== undefined) account.forget(this.#now() - this.#windowMs);
    return account;
  }

  /** The purse of this name, from now on the one used most recently. */
  #purse(name: string): Account {
    const account = this.#purses.get(name) ?? new Account();
    this.#purses.delete(name);
    this.#purses.set(name, account);
    if (this.#purses.size > MAX_PURSES) {
      this.#purses.delete(this.#purses.keys().next().value as string);
    }
    return this.#current(account);
  }
}

function isHeld(value: unknown): value is [string, Held] {
  if (!Array.isArray(value) || typeof value[0] !== 'string' || !isAmount(value[1])) return false;
  const { at, purses } = value[1] as Partial<Held>;
  if (!Number.isFinite(at) || !Array.isArray(purses)) return false;
  return purses.every((name) => typeof name === 'string');
}

function isNamed(value: unknown): value is [string, unknown] {
  return Array.isArray(value) && value.length === 2 && typeof value[0] === 'string';
}
