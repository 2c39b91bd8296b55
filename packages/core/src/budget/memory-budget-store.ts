import { InvalidSnapshotError } from '../errors.ts';
import type { JsonValue } from '../json.ts';
import { type Amount, add, NOTHING } from './amount.ts';
import type { BudgetLimits, BudgetStore, BudgetTotals, ReservationResult } from './budget-store.ts';

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

/** Spend, or a reservation, with its time. */
interface Entry extends Amount {
  readonly at: number;
}

/** Keeps the spend of one process in memory and answers at once. */
export class MemoryBudgetStore implements BudgetStore {
  readonly #windowMs: number;
  readonly #reservationMs: number;
  readonly #now: () => number;
  #spent: Amount;
  #reserved: Amount = NOTHING;
  readonly #held: Map<string, Entry> = new Map();
  /** The spend within the window; empty without one. */
  #recent: Entry[] = [];

  constructor(
    spent: Amount = NOTHING,
    {
      windowMs = Number.POSITIVE_INFINITY,
      reservationMs = RESERVATION_MS,
      now = Date.now,
    }: MemoryBudgetStoreOptions = {},
  ) {
    this.#windowMs = windowMs;
    this.#reservationMs = reservationMs;
    this.#now = now;
    this.#spent = NOTHING;
    this.#book(spent);
  }

  reserve(id: string, amount: Amount, limits: BudgetLimits): ReservationResult {
    const before = this.totals();
    const others = subtract(this.#reserved, this.#held.get(id) ?? NOTHING);
    const reserved = add(others, amount);
    const claim = add(this.#spent, reserved);
    const isGranted =
      claim.nanoUsd <= (limits.nanoUsd ?? Number.POSITIVE_INFINITY) &&
      claim.tokens <= (limits.tokens ?? Number.POSITIVE_INFINITY);
    if (!isGranted) return { isGranted, totals: before };
    // Set anew, so that the oldest reservation stays the first one.
    this.#held.delete(id);
    this.#held.set(id, { ...amount, at: this.#now() });
    this.#reserved = reserved;
    return { isGranted, totals: this.totals() };
  }

  settle(id: string | undefined, actual: Amount): BudgetTotals {
    if (id !== undefined) this.#release(id);
    this.#book(actual);
    return this.totals();
  }

  totals(): BudgetTotals {
    this.#forget();
    return { spent: this.#spent, reserved: this.#reserved };
  }

  #book(amount: Amount): void {
    this.#spent = add(this.#spent, amount);
    if (this.#windowMs === Number.POSITIVE_INFINITY) return;
    if (amount.nanoUsd > 0 || amount.tokens > 0) {
      this.#recent.push({ at: this.#now(), nanoUsd: amount.nanoUsd, tokens: amount.tokens });
    }
  }

  /** Forgets spend that lies before the window, and reservations that were never settled. */
  #forget(): void {
    if (this.#held.size > 0) {
      const expired = this.#now() - this.#reservationMs;
      for (const [id, { at }] of this.#held) {
        if (at > expired) break;
        this.#release(id);
      }
    }
    if (this.#recent.length === 0) return;
    const from = this.#now() - this.#windowMs;
    const kept = this.#recent.findIndex(({ at }) => at > from);
    const old = this.#recent.splice(0, kept < 0 ? this.#recent.length : kept);
    for (const amount of old) this.#spent = subtract(this.#spent, amount);
  }

  #release(id: string): void {
    this.#reserved = subtract(this.#reserved, this.#held.get(id) ?? NOTHING);
    this.#held.delete(id);
  }

  /** The spend as plain JSON. */
  snapshot(): JsonValue {
    return {
      spent: { ...this.#spent },
      held: [...this.#held].map(([id, a]) => [id, { ...a }]),
      recent: this.#recent.map((entry) => ({ ...entry })),
    };
  }

  /**
   * Takes a {@link MemoryBudgetStore.snapshot} back.
   * @throws {@link InvalidSnapshotError} when it is not one.
   */
  restore(snapshot: JsonValue): void {
    const { spent, held, recent = [] } = Object(snapshot) as Record<string, unknown>;
    if (!isAmount(spent)) throw new InvalidSnapshotError('budget.spent', 'an amount', spent);
    if (!Array.isArray(held) || !held.every(isHeld)) {
      throw new InvalidSnapshotError('budget.held', 'pairs of an id and an amount', held);
    }
    if (!Array.isArray(recent) || !recent.every(isEntry)) {
      throw new InvalidSnapshotError('budget.recent', 'amounts with their time', recent);
    }
    this.#spent = spent;
    this.#recent = recent.map((entry) => ({ ...entry }));
    this.#held.clear();
    const now = this.#now();
    for (const [id, amount] of held) this.#held.set(id, { at: now, ...amount });
    this.#reserved = [...this.#held.values()].reduce(add, NOTHING);
  }
}

function subtract(a: Amount, b: Amount): Amount {
  return { nanoUsd: a.nanoUsd - b.nanoUsd, tokens: a.tokens - b.tokens };
}

function isAmount(value: unknown): value is Amount {
  if (typeof value !== 'object' || value === null) return false;
  const { nanoUsd, tokens } = value as Record<string, unknown>;
  return Number.isSafeInteger(nanoUsd) && Number.isSafeInteger(tokens);
}

function isHeld(value: unknown): value is [string, Amount] {
  return Array.isArray(value) && typeof value[0] === 'string' && isAmount(value[1]);
}

function isEntry(value: unknown): value is Entry {
  return isAmount(value) && Number.isFinite((value as Partial<Entry>).at);
}
