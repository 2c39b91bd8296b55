import { PriceError, reading, shown } from './errors.ts';
import { fromUsd, type Price, type PriceBook } from './price-book.ts';
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
}

const FIELDS: readonly string[] = [
  'inputUsdPerMillion',
  'outputUsdPerMillion',
  'cachedInputUsdPerMillion',
];
const SHAPE = 'inputUsdPerMillion, outputUsdPerMillion and maybe cachedInputUsdPerMillion';
const NAME_LENGTH = 80;
const MILLION = 1e6;

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
    return priceAt(prices, checkUsage(usage));
  }
}

/** What tokens cost at these prices. */
export function priceAt(
  { inputUsdPerMillion, outputUsdPerMillion, cachedInputUsdPerMillion }: ModelPrices,
  { inputTokens, outputTokens, cachedInputTokens }: Required<TokenUsage>,
): Price {
  // Split in two, tokens of one price could cost a billionth more or less.
  const cachedTokens = cachedInputUsdPerMillion === undefined ? 0 : cachedInputTokens;
  const fresh = (inputUsdPerMillion * (inputTokens - cachedTokens)) / MILLION;
  const cached = ((cachedInputUsdPerMillion ?? 0) * cachedTokens) / MILLION;
  return fromUsd(fresh + cached + (outputUsdPerMillion * outputTokens) / MILLION);
}

function checkPrices(model: string, prices: ModelPrices): Required<ModelPrices> {
  const place = `prices['${model.slice(0, NAME_LENGTH)}']`;
  const isObject = typeof prices === 'object' && prices !== null;
  if (!isObject) {
    throw new PriceError('INVALID_PRICE', `${place}: expected ${SHAPE}, received ${shown(prices)}`);
  }
  const stranger = Object.keys(prices).find((field) => !FIELDS.includes(field));
  if (stranger !== undefined) {
    const field = stranger.slice(0, NAME_LENGTH);
    throw new PriceError('INVALID_PRICE', `${place}.${field}: no such price; expected ${SHAPE}`);
  }
  const { inputUsdPerMillion, outputUsdPerMillion } = prices;
  const { cachedInputUsdPerMillion = inputUsdPerMillion } = prices;
  const complete = { inputUsdPerMillion, outputUsdPerMillion, cachedInputUsdPerMillion };
  for (const [field, value] of Object.entries(complete)) {
    if (Number.isFinite(value) && value >= 0) continue;
    throw new PriceError(
      'INVALID_PRICE',
      `${place}.${field}: expected a number of at least 0, received ${shown(value)}`,
    );
  }
  return complete;
}
