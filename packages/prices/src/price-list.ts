import { PriceError } from './errors.ts';
import type { Price, PriceBook } from './price-book.ts';
import { checkUsage, type TokenUsage } from './token-usage.ts';

/** What a model's tokens cost, in US dollars a million, as price pages state it. */
export interface ModelPrices {
  readonly inputUsdPerMillion: number;
  readonly outputUsdPerMillion: number;
  /** @defaultValue inputUsdPerMillion */
  readonly cachedInputUsdPerMillion?: number;
}

// A dollar a million tokens is a thousand billionths a token.
const NANO_PER_TOKEN = 1_000;

/**
 * Prices you name yourself: for your own servers, negotiated prices, and models no table knows.
 *
 * @example
 * ```ts
 * const prices = new PriceList({ 'my-llama': { inputUsdPerMillion: 0.2, outputUsdPerMillion: 0.6 } });
 * prices.price('my-llama', { inputTokens: 1_000, outputTokens: 500 }); // => { nanoUsd: 500000 }
 * prices.price('another', { inputTokens: 1_000, outputTokens: 500 }); // => undefined
 * ```
 */
export class PriceList implements PriceBook {
  readonly #prices: ReadonlyMap<string, Required<ModelPrices>>;
  readonly #otherwise: PriceBook | undefined;

  /** `otherwise` is asked for models that are not in the list. */
  constructor(prices: Readonly<Record<string, ModelPrices>>, otherwise?: PriceBook) {
    this.#prices = new Map(
      Object.entries(prices).map(([model, stated]) => [model, checkPrices(model, stated)]),
    );
    this.#otherwise = otherwise;
  }

  price(model: string, usage: TokenUsage): Price | undefined {
    const prices = this.#prices.get(model);
    if (prices === undefined) return this.#otherwise?.price(model, usage);
    const { inputTokens, outputTokens, cachedInputTokens } = checkUsage(usage);
    const nanoUsd =
      (inputTokens - cachedInputTokens) * prices.inputUsdPerMillion * NANO_PER_TOKEN +
      cachedInputTokens * prices.cachedInputUsdPerMillion * NANO_PER_TOKEN +
      outputTokens * prices.outputUsdPerMillion * NANO_PER_TOKEN;
    return { nanoUsd: Math.round(nanoUsd) };
  }
}

function checkPrices(model: string, prices: ModelPrices): Required<ModelPrices> {
  const complete = { cachedInputUsdPerMillion: prices.inputUsdPerMillion, ...prices };
  for (const [field, value] of Object.entries(complete)) {
    if (Number.isFinite(value) && value >= 0) continue;
    throw new PriceError(
      'INVALID_PRICE',
      `prices['${model}'].${field}: expected a number of at least 0, received ${String(value)}`,
    );
  }
  return complete;
}
