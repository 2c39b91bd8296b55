import { type Amount, add, formatUsd, NOTHING, toNanoUsd } from '../budget/amount.ts';
import { checkNames, finite, integer, type OptionNames } from '../options.ts';

/** What guarded calls may spend. */
export interface SpendLimits {
  /** Most US dollars; a call that would exceed them is refused. */
  readonly maxUsd?: number;
  /** Most tokens. */
  readonly maxTokens?: number;
  /** Milliseconds after which spend is forgotten; without it, spend adds up for ever. */
  readonly windowMs?: number;
}

/** Why a call exceeds the limits. */
export interface Excess {
  readonly count: number;
  readonly limit: number;
  readonly subject: 'nano-dollars' | 'tokens';
  readonly text: string;
}

const NAMES: OptionNames<SpendLimits> = { maxUsd: true, maxTokens: true, windowMs: true };

/** The spend of guarded calls: reserved before a call and settled after it, so that calls under way count too. */
export class RollingSpend {
  #maxNanoUsd: number;
  #maxTokens: number;
  readonly #windowMs: number;
  #entries: { readonly at: number; readonly amount: Amount }[] = [];
  #total: Amount = NOTHING;
  readonly #reserved: Map<symbol, Amount> = new Map();

  /** @throws {@link InvalidOptionError} */
  constructor(limits: SpendLimits = {}) {
    checkNames('budget', limits, NAMES);
    const { windowMs } = limits;
    this.#windowMs =
      windowMs === undefined ? Number.POSITIVE_INFINITY : integer('budget.windowMs', windowMs, 1);
    this.#maxNanoUsd = Number.POSITIVE_INFINITY;
    this.#maxTokens = Number.POSITIVE_INFINITY;
    this.raise(limits);
  }

  /** Sets other limits; what is missing stays as it is. */
  raise({ maxUsd, maxTokens }: Omit<SpendLimits, 'windowMs'>): void {
    if (maxUsd !== undefined) {
      this.#maxNanoUsd = toNanoUsd(finite('budget.maxUsd', maxUsd, 0, 9e6));
    }
    if (maxTokens !== undefined) this.#maxTokens = integer('budget.maxTokens', maxTokens, 0);
  }

  /** What was spent within the window. */
  spent(at: number): Amount {
    while (this.#entries.length > 0 && at - (this.#entries[0]?.at ?? 0) >= this.#windowMs) {
      const { amount } = this.#entries.shift() as { readonly amount: Amount };
      this.#total = {
        nanoUsd: this.#total.nanoUsd - amount.nanoUsd,
        tokens: this.#total.tokens - amount.tokens,
      };
    }
    return this.#total;
  }

  /** The excess of a call of this size, or of the next one if it is 0. */
  excess(at: number, amount: Amount): Excess | undefined {
    const held = [...this.#reserved.values()].reduce(add, this.spent(at));
    const { nanoUsd, tokens } = add(held, amount);
    if (
      nanoUsd > this.#maxNanoUsd ||
      (amount.nanoUsd === 0 && isUsedUp(nanoUsd, this.#maxNanoUsd))
    ) {
      const limit = this.#maxNanoUsd;
      const text = `${formatUsd(nanoUsd)} of ${formatUsd(limit)}`;
      return { count: nanoUsd, limit, subject: 'nano-dollars', text };
    }
    if (tokens > this.#maxTokens || (amount.tokens === 0 && isUsedUp(tokens, this.#maxTokens))) {
      const text = `${tokens} of ${this.#maxTokens} tokens`;
      return { count: tokens, limit: this.#maxTokens, subject: 'tokens', text };
    }
    return undefined;
  }

  /** Reserves an amount; the returned function settles it by what was really spent. */
  reserve(amount: Amount): (at: number, actual: Amount) => void {
    const id = Symbol();
    this.#reserved.set(id, amount);
    return (at, actual) => {
      if (!this.#reserved.delete(id)) return;
      this.#entries.push({ at, amount: actual });
      this.#total = add(this.#total, actual);
    };
  }
}

/** A call of unknown size is refused once the limit is reached. */
function isUsedUp(spent: number, limit: number): boolean {
  return spent >= limit && spent > 0;
}
