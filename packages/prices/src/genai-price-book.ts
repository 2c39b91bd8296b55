import {
  calcPrice,
  findProvider,
  type ModelPrice,
  type PriceCalculation,
  type Usage,
} from '@pydantic/genai-prices';
import { PriceError, reading, shown } from './errors.ts';
import { type ContextWindows, fromUsd, type Price, type PriceBook } from './price-book.ts';
import { TokenRates } from './token-rates.ts';
import { checkUsage, type TokenUsage } from './token-usage.ts';

/** Options of {@link GenaiPriceBook}. */
export interface GenaiPriceBookOptions {
  /**
   * Who runs the models, such as `openai` or `anthropic`: the same model has other prices elsewhere.
   * @defaultValue what the name says (`openai/gpt-4o`), else who makes models of that name
   */
  readonly provider?: string;
  /**
   * The time in ms, for providers whose prices depend on it.
   * @defaultValue Date.now
   */
  readonly now?: () => number;
}

/** What a table says of a model, whatever its calls use. */
interface Known {
  readonly isListed: boolean;
  readonly contextWindow: number | undefined;
  readonly rates: TokenRates | undefined;
}

const MINUTE_MS = 60_000;
const MAX_MODELS = 256;
/** Longer names are looked up each time. */
const MAX_NAME = 256;
const ANY_PROVIDER = 'openai';

/**
 * The public prices of the large providers, from the table that comes with `@pydantic/genai-prices`.
 *
 * @example
 * ```ts
 * const prices = new GenaiPriceBook({ provider: 'openai' });
 * prices.price('gpt-4o', { inputTokens: 1_000, outputTokens: 100 }); // => { nanoUsd: 3500000 }
 * prices.price('my-own-model', { inputTokens: 1_000, outputTokens: 100 }); // => undefined
 * prices.contextWindow('gpt-4o'); // => 128000
 * ```
 */
export class GenaiPriceBook implements PriceBook, ContextWindows {
  readonly #provider: string | undefined;
  readonly #now: () => number;
  readonly #models: Map<string, Known> = new Map();
  #minute: number | undefined;
  #table: object | undefined;

  /** @throws {@link PriceError} when no prices of the provider are known. */
  constructor(options: GenaiPriceBookOptions = {}) {
    const expected = 'an object that can be read';
    const { provider, now = Date.now } = reading(
      'INVALID_OPTION',
      'options',
      expected,
      options,
      () => ({
        ...options,
      }),
    );
    if (typeof now !== 'function') {
      throw new PriceError(
        'INVALID_OPTION',
        `option 'now': expected a function, received ${shown(now)}`,
      );
    }
    this.#provider = provider;
    this.#now = now;
    const isKnown = typeof provider === 'string' && findProvider({ providerId: provider });
    if (provider !== undefined && !isKnown) {
      throw new PriceError(
        'UNKNOWN_PROVIDER',
        `option 'provider': expected the id of a provider with known prices, received ${shown(provider)}`,
      );
    }
  }

  price(model: string, usage: TokenUsage): Price | undefined {
    const checked = checkUsage(usage);
    const now = this.#now();
    const { isListed, rates } = this.#known(model, now);
    if (!isListed) return undefined;
    if (rates !== undefined) return rates.price(checked);
    const { inputTokens, outputTokens, cachedInputTokens } = checked;
    const tokens = {
      input_tokens: inputTokens,
      cache_read_tokens: cachedInputTokens,
      output_tokens: outputTokens,
    };
    const found = this.#find(model, tokens, now);
    if (found === undefined || !coversTokens(found.model_price, inputTokens, outputTokens)) {
      return undefined;
    }
    return fromUsd(found.total_price);
  }

  contextWindow(model: string): number | undefined {
    return this.#known(model, this.#now()).contextWindow;
  }

  /** What is known of a model in the minute of `now`. Prices that depend on the time change with a minute. */
  #known(model: string, now: number): Known {
    const minute = Math.floor(now / MINUTE_MS);
    // An update of the table brings new objects.
    const table = findProvider({ providerId: ANY_PROVIDER });
    const isOld = minute !== this.#minute || table !== this.#table;
    if (isOld || this.#models.size >= MAX_MODELS) {
      this.#models.clear();
      this.#minute = minute;
      this.#table = table;
    }
    let known = this.#models.get(model);
    if (known === undefined) {
      const found = this.#find(model, { input_tokens: 0, output_tokens: 0 }, now);
      known = {
        isListed: found !== undefined,
        contextWindow: found?.model.context_window,
        rates: found && TokenRates.of(found),
      };
      if (model.length <= MAX_NAME) this.#models.set(model, known);
    }
    return known;
  }

  #find(model: string, usage: Usage, now: number): PriceCalculation | undefined {
    if (typeof model !== 'string') {
      throw new PriceError('INVALID_OPTION', `model: expected text, received ${shown(model)}`);
    }
    const { providerId, name } = this.#split(model);
    const timestamp = new Date(now);
    const options = providerId === undefined ? { timestamp } : { providerId, timestamp };
    return calcPrice(usage, name, options) ?? undefined;
  }

  #split(model: string): { readonly providerId: string | undefined; readonly name: string } {
    if (this.#provider !== undefined) return { providerId: this.#provider, name: model };
    const slash = model.indexOf('/');
    const prefix = model.slice(0, Math.max(0, slash));
    if (prefix !== '' && findProvider({ providerId: prefix })) {
      return { providerId: prefix, name: model.slice(slash + 1) };
    }
    return { providerId: undefined, name: model };
  }
}

/** Whether a model is charged by tokens at all: speech models are charged by the hour, and pass for free otherwise. */
function coversTokens(prices: ModelPrice, inputTokens: number, outputTokens: number): boolean {
  return (
    (inputTokens === 0 || prices.input_mtok !== undefined) &&
    (outputTokens === 0 || prices.output_mtok !== undefined)
  );
}
