import { reading } from './errors.ts';
import type { TokenUsage } from './token-usage.ts';

/** What a model call costs. */
export interface Price {
  /** Billionths of a US dollar, an integer: sums of prices are exact. */
  readonly nanoUsd: number;
  /** Whether a part of it is taken from what providers usually charge, as its own price is not known. */
  readonly isEstimate?: boolean;
}

/** Knows what model calls cost. */
export interface PriceBook {
  /** The price of a call, or `undefined` when it is not known. Unknown is never 0: 0 is the price of what is free. */
  price(model: string, usage: TokenUsage): Price | undefined;
}

/** Knows how much a model can read. */
export interface ContextWindows {
  /** How many tokens prompt and answer may have together, or `undefined` when it is not known. */
  contextWindow(model: string): number | undefined;
}

const NANO_PER_USD = 1e9;

/** Billionths of a dollar as dollars, for people to read. */
export function toUsd(price: Price): number {
  const expected = 'an object with nanoUsd';
  return reading('INVALID_PRICE', 'price', expected, price, () => price.nanoUsd / NANO_PER_USD);
}

/** Dollars in floating point as the nearest billionth. */
export function fromUsd(usd: number): Price {
  return { nanoUsd: Math.round(usd * NANO_PER_USD) };
}
