import { InvalidSnapshotError } from '../../errors.ts';
import type { JsonValue } from '../../json.ts';
import { type Amount, add, isAmount, NOTHING, subtract } from '../amount.ts';
import type { BudgetLimits, PurseTotals } from './budget-store.ts';

/** Spend with its time. */
interface Entry extends Amount {
  readonly at: number;
}

/** The books of one purse in memory. @internal */
export class Account {
  #spent: Amount = NOTHING;
  #reserved: Amount = NOTHING;
  /** The spend within the window; empty without one. */
  #recent: Entry[] = [];

  get totals(): PurseTotals {
    return { spent: this.#spent, reserved: this.#reserved };
  }

  /** Whether spent, reserved and `amount` together stay within `limits`. */
  fits(amount: Amount, limits: BudgetLimits): boolean {
    const claim = add(add(this.#spent, this.#reserved), amount);
    return (
      claim.nanoUsd <= (limits.nanoUsd ?? Number.POSITIVE_INFINITY) &&
      claim.tokens <= (limits.tokens ?? Number.POSITIVE_INFINITY)
    );
  }

  hold(amount: Amount): void {
    this.#reserved = add(this.#reserved, amount);
  }

  /** Lets go of what is held. A purse that was forgotten meanwhile holds less than that. */
  release({ nanoUsd, tokens }: Amount): void {
    const left = subtract(this.#reserved, { nanoUsd, tokens });
    this.#reserved = { nanoUsd: Math.max(0, left.nanoUsd), tokens: Math.max(0, left.tokens) };
  }

  /** Books spend; with a time, so that it can be forgotten. */
  book({ nanoUsd, tokens }: Amount, at: number | undefined): void {
    this.#spent = add(this.#spent, { nanoUsd, tokens });
    if (at !== undefined && (nanoUsd > 0 || tokens > 0)) this.#recent.push({ at, nanoUsd, tokens });
  }

  /** Forgets the spend up to a time. */
  forget(until: number): void {
    const kept = this.#recent.findIndex(({ at }) => at > until);
    const old = this.#recent.splice(0, kept < 0 ? this.#recent.length : kept);
    for (const amount of old) this.#spent = subtract(this.#spent, amount);
  }

  /** What is spent; reservations are written by the store, each once. */
  snapshot(): { readonly spent: JsonValue; readonly recent: JsonValue } {
    return { spent: { ...this.#spent }, recent: this.#recent.map((entry) => ({ ...entry })) };
  }

  /** @throws {@link InvalidSnapshotError} naming the field in `path`. */
  static from(path: string, snapshot: unknown): Account {
    const { spent, recent } = Object(snapshot) as Record<string, unknown>;
    if (!isAmount(spent)) throw new InvalidSnapshotError(`${path}.spent`, 'an amount', spent);
    if (!Array.isArray(recent) || !recent.every(isEntry)) {
      throw new InvalidSnapshotError(`${path}.recent`, 'amounts with their time', recent);
    }
    const account = new Account();
    account.#spent = spent;
    account.#recent = recent.map((entry) => ({ ...entry }));
    return account;
  }
}

function isEntry(value: unknown): value is Entry {
  return isAmount(value) && Number.isFinite((value as Partial<Entry>).at);
}
