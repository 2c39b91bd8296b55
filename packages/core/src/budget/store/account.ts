import { type Codec, list, number, record } from '../../state/codec.ts';
import { type Amount, add, NOTHING, subtract } from '../amount.ts';
import { AMOUNT, AMOUNT_FIELDS } from '../amount-codec.ts';
import type { BudgetLimits, PurseTotals } from './budget-store.ts';

interface Entry extends Amount {
  readonly at: number;
}

/** The spend in a snapshot; the store writes the reservations. @internal */
export interface AccountBooks {
  readonly spent: Amount;
  readonly recent: readonly Entry[];
}

export const ACCOUNT_FIELDS: { readonly [K in keyof AccountBooks]: Codec<AccountBooks[K]> } = {
  spent: AMOUNT,
  recent: list(record<Entry>({ ...AMOUNT_FIELDS, at: number })),
};

/** The books of one purse in memory. @internal */
export class Account {
  #spent: Amount = NOTHING;
  #reserved: Amount = NOTHING;
  /** The spend within the window; empty without a window. */
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

  reserve(amount: Amount): void {
    this.#reserved = add(this.#reserved, amount);
  }

  /** Releases a reservation. A purse that was forgotten meanwhile may hold less. */
  release({ nanoUsd, tokens }: Amount): void {
    const left = subtract(this.#reserved, { nanoUsd, tokens });
    this.#reserved = { nanoUsd: Math.max(0, left.nanoUsd), tokens: Math.max(0, left.tokens) };
  }

  /** Books spend; with a time if it is to be forgotten. */
  book({ nanoUsd, tokens }: Amount, at: number | undefined): void {
    this.#spent = add(this.#spent, { nanoUsd, tokens });
    if (at !== undefined && (nanoUsd > 0 || tokens > 0)) this.#recent.push({ at, nanoUsd, tokens });
  }

  forget(until: number): void {
    const kept = this.#recent.findIndex(({ at }) => at > until);
    const old = this.#recent.splice(0, kept < 0 ? this.#recent.length : kept);
    for (const amount of old) this.#spent = subtract(this.#spent, amount);
  }

  get books(): AccountBooks {
    return { spent: this.#spent, recent: [...this.#recent] };
  }

  static of({ spent, recent }: AccountBooks): Account {
    const account = new Account();
    account.#spent = spent;
    account.#recent = [...recent];
    return account;
  }
}
