import { GenaiPriceBook, type ModelPrices, PriceList } from '@teamfuse/prices';
import { InvalidOptionError } from '../common/errors.ts';
import { isRecord } from '../common/json.ts';
import { atOnce } from '../common/maybe-promise.ts';
import { type OptionTable, readOptions } from '../common/option-table.ts';
import { orInvalid } from '../common/options.ts';
import type { UsageSignal } from '../signal/signal.ts';
import { cacheDiscount } from './cache-reads.ts';
import { type CallPrice, NANO_USD_PER_USD, type PriceBook, type TokenUsage } from './metering.ts';

/** Your own prices by model, in US dollars per million tokens; or a price book. */
export type Prices = Readonly<Record<string, ModelPrices>> | PriceBook;

/** Options for the prices of model calls. */
export interface PriceOptions {
  /**
   * Your own prices by model; other models keep their public prices. In code also a price book,
   * which replaces them. A model without a price has an unknown cost, which never counts as 0.
   * @defaultValue the public prices of the large providers; the model `replay` of scripted answers costs nothing
   */
  readonly prices?: Prices;
  /**
   * The model by which to price calls whose own model has no known price, such as a deployment: one for all agents, or one by
   * agent name.
   * @defaultValue none
   */
  readonly models?: string | Readonly<Record<string, string>>;
}

export const MODEL_PRICES: OptionTable<
  ModelPrices,
  'cachedInputUsdPerMillion' | 'cacheWriteUsdPerMillion' | 'cacheWrite1hUsdPerMillion'
> = {
  inputUsdPerMillion: { type: 'number', min: 0, isRequired: true },
  outputUsdPerMillion: { type: 'number', min: 0, isRequired: true },
  cachedInputUsdPerMillion: { type: 'number', min: 0 },
  cacheWriteUsdPerMillion: { type: 'number', min: 0 },
  cacheWrite1hUsdPerMillion: { type: 'number', min: 0 },
};

/** Options that may be given as `undefined`. */
type Given<T> = { readonly [K in keyof T]?: T[K] | undefined };

const PRICES =
  "prices by model, such as { 'my-llama': { inputUsdPerMillion: 0.2, outputUsdPerMillion: 0.6 } }, or an object with a method price";
const NO_MODELS = 'a model name, or an object of model names by agent name';

/** The model of answers that come from a script: a `ReplayChatCompletionClient` names it so. */
const SCRIPTED = 'replay';

/** The usage of a call, and the model that answered, if it is known. */
export type PricedUsage = TokenUsage & { readonly responseModel?: string | undefined };

/** Where a model has its price: under which name, and in which book. */
interface Listing {
  readonly book: PriceBook;
  readonly model: string;
}

interface Listed extends Listing {
  readonly price: CallPrice;
}

const NO_PRICES: PriceBook = { price: () => undefined };

/** Prices model calls. An error of the price book is reported, and the price is unknown. */
export class Pricing {
  /** What the user says comes before what the public says, whatever the model is called. */
  readonly #books: readonly PriceBook[];
  readonly #models: string | Readonly<Record<string, string>>;
  readonly #report: (error: unknown) => void;

  /** Models without a price of their own have that of `otherwise`. @throws {@link InvalidOptionError} */
  constructor(
    { prices = {}, models = {} }: PriceOptions,
    report: (error: unknown) => void,
    otherwise: readonly PriceBook[] = [publicPrices()],
  ) {
    const names: readonly unknown[] = orInvalid('models', NO_MODELS, models, () =>
      typeof models === 'string' ? [models] : Object.values(models),
    );
    const isNamed = typeof models === 'string' || typeof models === 'object';
    if (!isNamed || !names.every((name) => typeof name === 'string')) {
      throw new InvalidOptionError('models', NO_MODELS, models);
    }
    const own = priceBookOf(prices, NO_PRICES);
    this.#books = own === prices ? [own] : [own, ...otherwise];
    this.#models = models;
    this.#report = report;
  }

  /** The same with other prices or models. @throws {@link InvalidOptionError} */
  with(
    { prices = {}, models = this.#models }: Given<PriceOptions>,
    report: (error: unknown) => void = this.#report,
  ): Pricing {
    return new Pricing({ prices, models }, report, this.#books);
  }

  /** Fills in the price of a usage that lacks one. */
  usage(signal: UsageSignal): UsageSignal {
    if (signal.costUsd !== undefined) return signal;
    const { agent, model, inputTokens, outputTokens } = signal;
    // Without tokens there is no price: the reservation counts.
    const isCounted = inputTokens + outputTokens > 0;
    return { ...signal, ...(isCounted ? this.cost(agent, model, signal) : { costUsd: null }) };
  }

  /** The price of a call in US dollars, `null` if unknown, as a usage reports it. */
  cost(
    agent: string,
    model: string,
    usage: PricedUsage,
  ): { readonly costUsd: number | null; readonly isEstimate?: true } {
    const price = this.price(agent, model, usage);
    if (price === undefined) return { costUsd: null };
    const costUsd = price.nanoUsd / NANO_USD_PER_USD;
    return price.isEstimate === true ? { costUsd, isEstimate: true } : { costUsd };
  }

  /** The price of a call in US dollars; `null` if unknown. */
  usd(agent: string, model: string, usage: PricedUsage): number | null {
    return this.cost(agent, model, usage).costUsd;
  }

  /** The price of a call; `undefined` if it is unknown. */
  price(agent: string, model: string, usage: PricedUsage): CallPrice | undefined {
    return this.#listed(agent, model, usage)?.price;
  }

  /** How many tokens less a call counts than it has, if those read from a cache count by their price. */
  cacheDiscount(agent: string, model: string, usage: PricedUsage): number {
    const { inputTokens, cachedInputTokens = 0, responseModel } = usage;
    if (cachedInputTokens === 0) return 0;
    const listed = this.#listed(agent, model, { inputTokens, outputTokens: 0, responseModel });
    if (listed === undefined) return 0;
    return cacheDiscount(usage, (part) => this.#reported(() => priceIn(listed, part)));
  }

  /** The declared model of an agent. */
  modelOf(agent: string): string | undefined {
    const models = this.#models;
    if (typeof models === 'string') return models;
    return Object.hasOwn(models, agent) ? models[agent] : undefined;
  }

  /** How many tokens prompt and answer of a model may have together. */
  contextWindow(model: string): number | undefined {
    for (const book of this.#books) {
      const tokens = this.#reported(() =>
        atOnce('prices.contextWindow', book.contextWindow?.(model)),
      );
      if (Number.isSafeInteger(tokens) && (tokens as number) > 0) return tokens;
    }
    return undefined;
  }

  #listed(agent: string, model: string, usage: PricedUsage): Listed | undefined {
    const { responseModel } = usage;
    const named = responseModel ? [...served(model, responseModel), model] : [model];
    const declared = this.modelOf(agent);
    return this.#find(named, usage) ?? (declared ? this.#find([declared], usage) : undefined);
  }

  /** The price of the first of these names, in the first book that has one. */
  #find(models: readonly string[], usage: TokenUsage): Listed | undefined {
    for (const book of this.#books) {
      for (const model of models) {
        const price = this.#reported(() => priceIn({ book, model }, usage));
        if (price !== undefined) return { book, model, price };
      }
    }
    return undefined;
  }

  #reported<T>(read: () => T | undefined): T | undefined {
    try {
      return read();
    } catch (error) {
      this.#report(error);
      return undefined;
    }
  }
}

/** How a table may name the model that answered: with the provider of the one that was asked, and as it is. */
function served(asked: string, answered: string): readonly string[] {
  const provider = asked.slice(0, asked.lastIndexOf('/') + 1);
  return provider === '' || answered.includes('/') ? [answered] : [provider + answered, answered];
}

function priceIn({ book, model }: Listing, usage: TokenUsage): CallPrice | undefined {
  const price = atOnce('prices.price', book.price(model, usage));
  if (price === undefined) return undefined;
  if (Number.isFinite(price.nanoUsd) && price.nanoUsd >= 0) return price;
  throw new RangeError(
    `prices.price: expected nanoUsd of at least 0, received ${String(price.nanoUsd)}`,
  );
}

/**
 * A price book as it is; prices by model as one that asks `otherwise` for all other models. For packages that build on this one.
 * @throws {@link InvalidOptionError} naming the model and the price.
 */
export function priceBookOf(prices: Prices, otherwise: PriceBook): PriceBook {
  return orInvalid('prices', PRICES, prices, () => {
    if (!isRecord(prices)) throw new InvalidOptionError('prices', PRICES, prices);
    if (isPriceBook(prices)) return prices;
    const own = Object.entries(prices).map(
      ([model, one]) => [model, readOptions(`prices.${model}`, one, MODEL_PRICES)] as const,
    );
    if (own.length === 0) return otherwise;
    const list = new PriceList(Object.fromEntries(own), otherwise);
    return {
      price: (model, usage) => list.price(model, usage),
      contextWindow: (model) => otherwise.contextWindow?.(model),
    };
  });
}

function isPriceBook(prices: Prices): prices is PriceBook {
  return typeof prices.price === 'function';
}

function publicPrices(): PriceBook {
  const book = new GenaiPriceBook();
  return {
    price: (model, usage) => (model === SCRIPTED ? { nanoUsd: 0 } : book.price(model, usage)),
    contextWindow: (model) => book.contextWindow(model),
  };
}
