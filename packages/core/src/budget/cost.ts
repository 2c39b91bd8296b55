import { finite, orInvalid } from '../common/options.ts';
import { amount, type Codec, flag, record } from '../state/codec.ts';
import { plus, toNanoUsd } from './amount.ts';

/** A cost. Money is in nano-dollars (1 US dollar = 1,000,000,000). */
export interface Cost {
  /** Money spent on calls with a known price. */
  readonly nanoUsd: number;
  readonly tokens: number;
  /** Tokens of calls without a known price; their money is not in `nanoUsd`. */
  readonly unpricedTokens: number;
  /** Whether any of it is an estimate. */
  readonly isEstimate: boolean;
}

export const COST_FIELDS: { readonly [K in keyof Cost]: Codec<Cost[K]> } = {
  nanoUsd: amount,
  tokens: amount,
  unpricedTokens: amount,
  isEstimate: flag,
};

/** A cost in a snapshot. */
export const COST: Codec<Cost> = record<Cost>(COST_FIELDS);

export const NO_COST: Cost = { nanoUsd: 0, tokens: 0, unpricedTokens: 0, isEstimate: false };

export function sum(a: Cost, b: Cost): Cost {
  return {
    nanoUsd: plus(a.nanoUsd, b.nanoUsd),
    tokens: plus(a.tokens, b.tokens),
    unpricedTokens: plus(a.unpricedTokens, b.unpricedTokens),
    isEstimate: a.isEstimate || b.isEstimate,
  };
}

/** The cost of all that was done so far, as frameworks add it up. */
export interface RunningTotal {
  /** In US dollars. */
  readonly totalUsd: number;
}

/** What of it is not booked yet beside `booked`, both in nano-dollars. @throws {@link InvalidOptionError} */
export function unbooked(usd: number | RunningTotal, booked: number): number {
  if (typeof usd !== 'object') return toNanoUsd(finite('usd', usd, 0));
  const total = orInvalid('usd', 'a number, or an object with totalUsd', usd, () => usd.totalUsd);
  return Math.max(0, toNanoUsd(finite('totalUsd', total, 0)) - booked);
}
