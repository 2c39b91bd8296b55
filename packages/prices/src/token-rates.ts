import type { PriceCalculation } from '@pydantic/genai-prices';
import { fromUsd, type Price } from './price-book.ts';
import type { TokenUsage } from './token-usage.ts';

const PER = 1e6;

/** Prices that grow with the tokens alone: neither by steps nor with the number of calls. So the table need not be read for each call. */
export class TokenRates {
  readonly #input: number;
  readonly #cached: number | undefined;
  readonly #output: number;

  private constructor(input: number, cached: number | undefined, output: number) {
    this.#input = input;
    this.#cached = cached;
    this.#output = output;
  }

  /** The rates of a model; `undefined` if its prices are of another kind. */
  static of({ model_price: prices }: PriceCalculation): TokenRates | undefined {
    const {
      input_mtok: input,
      cache_read_mtok: cached,
      output_mtok: output,
      requests_kcount: calls,
    } = prices;
    if (calls !== undefined || !isRate(input) || !isRate(output)) return undefined;
    if (cached !== undefined && !isRate(cached)) return undefined;
    return new TokenRates(input, cached, output);
  }

  price({ inputTokens, outputTokens, cachedInputTokens }: Required<TokenUsage>): Price {
    const cachedTokens = this.#cached === undefined ? 0 : cachedInputTokens;
    const fresh = (this.#input * (inputTokens - cachedTokens)) / PER;
    const cached = ((this.#cached ?? 0) * cachedTokens) / PER;
    return fromUsd(fresh + cached + (this.#output * outputTokens) / PER);
  }
}

function isRate(price: unknown): price is number {
  return typeof price === 'number';
}
