import {
  calcPrice,
  findProvider,
  type ModelPrice,
  type PriceCalculation,
} from '@pydantic/genai-prices';
import { PriceError, reading, shown } from './errors.ts';
import type { ContextWindows, Price, PriceBook } from './price-book.ts';
import { type Multiples, multiplesOf, priceOf } from './priced-parts.ts';
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

/** What the table says about a model, before the tokens of a call are known. */
interface Entry {
  readonly contextWindow: number | undefined;
  /** Missing for a model that is not in the table. */
  readonly prices: ModelPrice | undefined;
  readonly multiples: Multiples;
}

const MINUTE_MS = 60_000;
const MAX_MODELS = 256;
/** Longer names are looked up each time. */
const MAX_NAME = 256;
const ANY_PROVIDER = 'openai';
const BEDROCK = 'aws';
/** Bedrock's names begin with those of makers, after a region or none; or they are whole addresses. */
const OF_BEDROCK = /^(?:arn:aws[\w-]*:bedrock:|[a-z]+(?:\.[a-z]\w*)?\.[a-z])/i;
/** The Gemini API and Vertex AI name models as what is at an address. */
const OF_GOOGLE = /^(?:projects\/[^/]+\/locations\/[^/]+\/)?(?:publishers\/[^/]+\/)?models\//;
/** Each call of these models of OpenAI searches once, and costs more for it than the searches of others. */
const SEARCHING = /-search-preview/i;
const THOUSAND_SEARCHES_USD = 25;
const NOTHING = { input_tokens: 0, output_tokens: 0 };

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
  readonly #entries: Map<string, Entry> = new Map();
  #minute: number | undefined;
  #table: object | undefined;

  /** @throws {@link PriceError} when no prices of the provider are known. */
  constructor(options: GenaiPriceBookOptions = {}) {
    const expected = 'an object that can be read';
    const {
      provider,
      now = Date.now,
      ...others
    } = reading('INVALID_OPTION', 'options', expected, options, () => ({
      ...options,
    }));
    const [[other, value] = []] = Object.entries(others);
    if (other !== undefined) {
      throw new PriceError(
        'INVALID_OPTION',
        `option '${other}': expected one of the options provider, now, received ${shown(value)}`,
      );
    }
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
    const { prices, multiples } = this.#entry(model, this.#now());
    return prices && priceOf(prices, checked, multiples);
  }

  contextWindow(model: string): number | undefined {
    return this.#entry(model, this.#now()).contextWindow;
  }

  /** The entry of a model. It is kept for a minute at most, because some prices depend on the time of day. */
  #entry(model: string, now: number): Entry {
    const minute = Math.floor(now / MINUTE_MS);
    // An update of the table brings new objects.
    const table = findProvider({ providerId: ANY_PROVIDER });
    const isOld = minute !== this.#minute || table !== this.#table;
    if (isOld || this.#entries.size >= MAX_MODELS) {
      this.#entries.clear();
      this.#minute = minute;
      this.#table = table;
    }
    let entry = this.#entries.get(model);
    if (entry === undefined) {
      const found = this.#find(model, now);
      entry = {
        contextWindow: found?.model.context_window,
        prices: found?.model_price,
        multiples: multiplesFor(model, found?.provider.id),
      };
      if (model.length <= MAX_NAME) this.#entries.set(model, entry);
    }
    return entry;
  }

  #find(model: string, now: number): PriceCalculation | undefined {
    if (typeof model !== 'string') {
      throw new PriceError('INVALID_OPTION', `model: expected text, received ${shown(model)}`);
    }
    const { providerId, name } = this.#split(model.replace(OF_GOOGLE, ''));
    const timestamp = new Date(now);
    const options = providerId === undefined ? { timestamp } : { providerId, timestamp };
    const found = calcPrice(NOTHING, name, options) ?? undefined;
    if (found !== undefined || providerId !== undefined || !OF_BEDROCK.test(name)) return found;
    return calcPrice(NOTHING, name, { providerId: BEDROCK, timestamp }) ?? undefined;
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

function multiplesFor(model: string, provider: string | undefined): Multiples {
  const multiples = multiplesOf(provider);
  if (!SEARCHING.test(model)) return multiples;
  return { ...multiples, thousandSearchesUsd: THOUSAND_SEARCHES_USD };
}
