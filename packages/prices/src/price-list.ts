import type { ModelPrice } from '@pydantic/genai-prices';
import { PriceError, reading, shown } from './errors.ts';
import type { Price, PriceBook } from './price-book.ts';
import { priceOf } from './priced-parts.ts';
import { checkUsage, type TokenUsage } from './token-usage.ts';

/** What a model's tokens cost, in US dollars a million, as price pages state it. */
export interface ModelPrices {
  /** US dollars for a million tokens of the prompt. */
  readonly inputUsdPerMillion: number;
  /** US dollars for a million tokens of the answer. */
  readonly outputUsdPerMillion: number;
  /**
   * US dollars for a million tokens of the prompt that the provider read from its cache.
   * @defaultValue the price of other tokens of the prompt
   */
  readonly cachedInputUsdPerMillion?: number;
  /**
   * US dollars for a million tokens of the prompt that the provider wrote to its cache.
   * @defaultValue 1.25 times the price of other tokens of the prompt, as an estimate
   */
  readonly cacheWriteUsdPerMillion?: number;
  /**
   * The same for those that stay in the cache for an hour or more.
   * @defaultValue twice the price of other tokens of the prompt, as an estimate
   */
  readonly cacheWrite1hUsdPerMillion?: number;
}

/** The prices, and their names in the table of public ones. */
const KEYS: Readonly<Record<keyof ModelPrices, string>> = {
  inputUsdPerMillion: 'input_mtok',
  outputUsdPerMillion: 'output_mtok',
  cachedInputUsdPerMillion: 'cache_read_mtok',
  cacheWriteUsdPerMillion: 'cache_write_mtok',
  cacheWrite1hUsdPerMillion: 'cache_write_1h_mtok',
};
const FIELDS = Object.keys(KEYS) as readonly (keyof ModelPrices)[];
const SHAPE =
  'inputUsdPerMillion, outputUsdPerMillion and maybe cachedInputUsdPerMillion, cacheWriteUsdPerMillion, cacheWrite1hUsdPerMillion';
const NAME_LENGTH = 80;

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
  readonly #prices: ReadonlyMap<string, ModelPrice>;
  readonly #otherwise: PriceBook | undefined;

  /**
   * `otherwise` is asked for models that are not in the list.
   * @throws {@link PriceError} naming the price, what was expected and what came.
   */
  constructor(prices: Readonly<Record<string, ModelPrices>>, otherwise?: PriceBook) {
    this.#prices = reading(
      'INVALID_PRICE',
      'prices',
      'an object with the prices of each model',
      prices,
      () => new Map(Object.entries(prices).map(([model, own]) => [model, checkPrices(model, own)])),
    );
    const isBook = reading('INVALID_OPTION', 'otherwise', 'a price book', otherwise, () => {
      return otherwise === undefined || typeof Object(otherwise).price === 'function';
    });
    if (!isBook) {
      throw new PriceError(
        'INVALID_OPTION',
        `otherwise: expected an object with a method price, received ${shown(otherwise)}`,
      );
    }
    this.#otherwise = otherwise;
  }

  price(model: string, usage: TokenUsage): Price | undefined {
    const prices = this.#prices.get(model);
    if (prices === undefined) return this.#otherwise?.price(model, usage);
    return priceOf(prices, checkUsage(usage));
  }
}

function checkPrices(model: string, prices: ModelPrices): ModelPrice {
  const place = `prices['${model.slice(0, NAME_LENGTH)}']`;
  const isObject = typeof prices === 'object' && prices !== null;
  if (!isObject) {
    throw new PriceError('INVALID_PRICE', `${place}: expected ${SHAPE}, received ${shown(prices)}`);
  }
  const stranger = Object.keys(prices).find((field) => !Object.hasOwn(KEYS, field));
  if (stranger !== undefined) {
    const field = stranger.slice(0, NAME_LENGTH);
    throw new PriceError('INVALID_PRICE', `${place}.${field}: no such price; expected ${SHAPE}`);
  }
  const checked: ModelPrice = {};
  for (const field of FIELDS) {
    const value = prices[field];
    const isNeeded = field === 'inputUsdPerMillion' || field === 'outputUsdPerMillion';
    if (value === undefined && !isNeeded) continue;
    if (!Number.isFinite(value) || (value as number) < 0) {
      throw new PriceError(
        'INVALID_PRICE',
        `${place}.${field}: expected a number of at least 0, received ${shown(value)}`,
      );
    }
    checked[KEYS[field]] = value;
  }
  return checked;
}
