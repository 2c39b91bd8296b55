import { InvalidSnapshotError } from '../errors.ts';
import type { JsonValue } from '../json.ts';
import { type Amount, add, NOTHING } from './amount.ts';
import type { BudgetLimits, BudgetStore, BudgetTotals, ReservationResult } from './budget-store.ts';

/** Keeps the books of one process in memory and answers at once. */
export class MemoryBudgetStore implements BudgetStore {
  #spent: Amount;
  #reserved: Amount = NOTHING;
  readonly #held: Map<string, Amount> = new Map();

  constructor(spent: Amount = NOTHING) {
    this.#spent = spent;
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
    this.#held.set(id, amount);
    this.#reserved = reserved;
    return { isGranted, totals: this.totals() };
  }

  settle(id: string | undefined, actual: Amount): BudgetTotals {
    if (id !== undefined) this.#release(id);
    this.#spent = add(this.#spent, actual);
    return this.totals();
  }

  totals(): BudgetTotals {
    return { spent: this.#spent, reserved: this.#reserved };
  }

  #release(id: string): void {
    this.#reserved = subtract(this.#reserved, this.#held.get(id) ?? NOTHING);
    this.#held.delete(id);
  }

  /** The books as plain JSON. */
  snapshot(): JsonValue {
    return { spent: { ...this.#spent }, held: [...this.#held].map(([id, a]) => [id, { ...a }]) };
  }

  /**
   * Takes a {@link MemoryBudgetStore.snapshot} back.
   * @throws {@link InvalidSnapshotError} when it is not one.
   */
  restore(snapshot: JsonValue): void {
    const { spent, held } = Object(snapshot) as { spent?: unknown; held?: unknown };
    if (!isAmount(spent)) throw new InvalidSnapshotError('budget.spent', 'an amount', spent);
    if (!Array.isArray(held) || !held.every(isHeld)) {
      throw new InvalidSnapshotError('budget.held', 'pairs of an id and an amount', held);
    }
    this.#spent = spent;
    this.#held.clear();
    for (const [id, amount] of held) this.#held.set(id, amount);
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
