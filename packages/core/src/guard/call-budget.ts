import { type Amount, add, NOTHING, toNanoUsd, usdFormat } from '../budget/amount.ts';
import type { BudgetLimits } from '../budget/store/budget-store.ts';
import { MemoryBudgetStore } from '../budget/store/memory-budget-store.ts';
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
export class CallBudget {
  readonly #store: MemoryBudgetStore;
  #limits: BudgetLimits = {};
  #lastId = 0;

  /** @throws {@link InvalidOptionError} */
  constructor(limits: SpendLimits = {}, now: () => number = Date.now) {
    checkNames('budget', limits, NAMES);
    const { windowMs } = limits;
    if (windowMs !== undefined) integer('budget.windowMs', windowMs, 1);
    this.#store = new MemoryBudgetStore(NOTHING, { windowMs, now });
    this.raise(limits);
  }

  /** What was spent within the window. */
  get spent(): Amount {
    return this.#store.totals().spent;
  }

  /** Sets other limits; what is missing stays as it is. */
  raise(limits: Omit<SpendLimits, 'windowMs'>): void {
    checkNames('budget', limits, NAMES);
    const { maxUsd, maxTokens } = limits;
    this.#limits = {
      ...this.#limits,
      ...(maxUsd !== undefined && { nanoUsd: toNanoUsd(finite('budget.maxUsd', maxUsd, 0, 9e6)) }),
      ...(maxTokens !== undefined && { tokens: integer('budget.maxTokens', maxTokens, 0) }),
    };
  }

  /** Why a call of this size exceeds the limits. A call of unknown size exceeds a limit that is used up. */
  excess(amount: Amount): Excess | undefined {
    const { spent, reserved } = this.#store.totals();
    const { nanoUsd, tokens } = add(add(spent, reserved), amount);
    const { nanoUsd: mostUsd, tokens: mostTokens } = this.#limits;
    if (mostUsd !== undefined && isOver(nanoUsd, mostUsd, amount.nanoUsd)) {
      const show = usdFormat(mostUsd, nanoUsd);
      const text = `${show(nanoUsd)} of ${show(mostUsd)}`;
      return { count: nanoUsd, limit: mostUsd, subject: 'nano-dollars', text };
    }
    if (mostTokens !== undefined && isOver(tokens, mostTokens, amount.tokens)) {
      const text = `${tokens} of ${mostTokens} tokens`;
      return { count: tokens, limit: mostTokens, subject: 'tokens', text };
    }
    return undefined;
  }

  /** Reserves an amount; the returned function settles it by what was really spent. */
  reserve(amount: Amount): (actual: Amount) => void {
    const id = `call ${++this.#lastId}`;
    this.#store.reserve(id, amount, {});
    return (actual) => void this.#store.settle(id, actual);
  }
}

function isOver(total: number, limit: number, own: number): boolean {
  return total > limit || (own === 0 && total === limit && total > 0);
}
