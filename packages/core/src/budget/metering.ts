import type { ServiceTier, TokenUsage } from '@teamfuse/prices';
import { InvalidOptionError } from '../common/errors.ts';
import { orInvalid } from '../common/options.ts';

export type { ServiceTier, TokenUsage };

/** The cost of a question to a judge. */
export interface JudgeUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** US dollars; `null` if the price is unknown. Anything else counts as `null`. */
  readonly costUsd: number | null;
}

/** The price of a model call. */
export interface CallPrice {
  /** Billionths of a US dollar. */
  readonly nanoUsd: number;
  /** Whether a part of it is an estimate, as its own price is not known. @defaultValue false */
  readonly isEstimate?: boolean;
}

/** Prices of model calls, such as those of `@teamfuse/prices`. */
export interface PriceBook {
  /** `undefined` if unknown, which never counts as 0. */
  price(model: string, usage: TokenUsage): CallPrice | undefined;
  /** Most tokens of prompt and answer together; `undefined` if unknown. */
  contextWindow?(model: string): number | undefined;
}

/** Counts the tokens of prompts, such as the counters of `@teamfuse/tokens`. */
export interface TokenCounter {
  countMessages(messages: readonly { readonly content: string; readonly name?: string }[]): number;
}

/** Characters that are counted at once: enough for a tokenizer, and little to keep. */
const COUNTED_AT_ONCE = 4096;

/** Counts the tokens of an answer that comes in pieces. */
export class StreamedTokens {
  readonly #count: (text: string) => number;
  #text = '';
  #counted = 0;

  constructor(count: (text: string) => number) {
    this.#count = count;
  }

  add(piece: string): void {
    this.#text += piece;
    if (this.#text.length >= COUNTED_AT_ONCE) this.#flush();
  }

  get tokens(): number {
    if (this.#text !== '') this.#flush();
    return this.#counted;
  }

  #flush(): void {
    const text = this.#text;
    this.#text = '';
    this.#counted += this.#count(text);
  }
}

export const NANO_USD_PER_USD = 1e9;

/** @throws {@link InvalidOptionError} unless `prices` is a price book. */
function checkPrices(prices: PriceBook): void {
  const expected = 'an object with a method price';
  const isBook = orInvalid('prices', expected, prices, () => typeof prices?.price === 'function');
  if (!isBook) throw new InvalidOptionError('prices', expected, prices);
}

/**
 * The cost of a call in US dollars, or `null` if unknown.
 * @throws {@link InvalidOptionError} if `prices` is not a price book.
 */
export function costInUsd(
  prices: PriceBook | undefined,
  model: string,
  usage: TokenUsage,
): number | null {
  if (prices !== undefined) checkPrices(prices);
  const price = prices?.price(model, usage);
  return price === undefined ? null : price.nanoUsd / NANO_USD_PER_USD;
}
