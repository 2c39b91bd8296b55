import { InvalidOptionError } from './errors.ts';
import { reading } from './options.ts';

/** Tokens of one model call, as a {@link PriceBook} takes them. */
export interface TokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens?: number;
}

/** Knows what model calls cost; the price books of `@teamfuse/prices` do. */
export interface PriceBook {
  /** In billionths of a US dollar; `undefined` when the price is not known, which is never taken for 0. */
  price(model: string, usage: TokenUsage): { readonly nanoUsd: number } | undefined;
  /** How many tokens prompt and answer may have together; `undefined` when it is not known. */
  contextWindow?(model: string): number | undefined;
}

/** Counts the tokens of prompts; the counters of `@teamfuse/tokens` do. */
export interface TokenCounter {
  countMessages(messages: readonly { readonly content: string; readonly name?: string }[]): number;
}

const NANO_USD_PER_USD = 1e9;
const EXPECTED = 'an object with a method price';

/**
 * What a call costs in US dollars, or `null` when nobody knows.
 * @throws {@link InvalidOptionError} if `prices` is no price book.
 */
export function costInUsd(
  prices: PriceBook | undefined,
  model: string,
  usage: TokenUsage,
): number | null {
  const isBook = reading('prices', EXPECTED, prices, () => typeof prices?.price === 'function');
  if (prices !== undefined && !isBook) throw new InvalidOptionError('prices', EXPECTED, prices);
  const price = prices?.price(model, usage);
  return price === undefined ? null : price.nanoUsd / NANO_USD_PER_USD;
}
