import type { ModelPrice, TieredPrices } from '@pydantic/genai-prices';
import { fromUsd, type Price } from './price-book.ts';
import type { CheckedUsage, ServiceTier } from './token-usage.ts';

/** By how much a price that a table does not know differs from the one of plain tokens, as providers publish it. */
export interface Multiples extends Readonly<Record<ServiceTier, number>> {
  readonly cacheWrite: number;
  readonly cacheWrite1h: number;
  readonly inputAudio: number;
  readonly outputAudio: number;
  /** US dollars for a thousand searches. */
  readonly thousandSearchesUsd: number;
}

/** Anthropic's multiples for caches, OpenAI's for sound and tiers. Where they differ between models, the dearer one. */
const USUAL: Multiples = {
  cacheWrite: 1.25,
  cacheWrite1h: 2,
  inputAudio: 16,
  outputAudio: 8,
  thousandSearchesUsd: 10,
  batch: 0.5,
  flex: 0.5,
  priority: 2.5,
  fast: 2.5,
};

/** A multiple of 1 is a price that is known: the provider has no other for it. */
const OF_PROVIDER: Readonly<Record<string, Partial<Multiples>>> = {
  // Its priority is bought ahead.
  anthropic: { priority: 1, fast: 6 },
  azure: { cacheWrite: 1, cacheWrite1h: 1 },
  google: { inputAudio: 1, outputAudio: 1, thousandSearchesUsd: 35, priority: 1.8 },
  groq: { flex: 1 },
  openai: { cacheWrite: 1, cacheWrite1h: 1 },
};

/** The multiples of a provider; the usual ones for a provider that is not known. */
export function multiplesOf(provider?: string): Multiples {
  const own = provider !== undefined && Object.hasOwn(OF_PROVIDER, provider);
  return own ? { ...USUAL, ...OF_PROVIDER[provider] } : USUAL;
}

type Counts = Record<string, number>;

/** What is charged for, under the names of a table, and whether some of it stands in for a price that is not in it. */
interface Parts {
  readonly counts: Counts;
  readonly isEstimate: boolean;
}

const MILLION = 1e6;
const THOUSAND = 1e3;

/** What a usage costs; `undefined` if the table has no prices in tokens. */
export function priceOf(
  prices: ModelPrice,
  usage: CheckedUsage,
  multiples: Multiples = USUAL,
): Price | undefined {
  const { inputTokens, outputTokens, webSearches, serviceTier } = usage;
  // Speech models are charged by the hour, and would be free.
  if (inputTokens > 0 && prices.input_mtok === undefined) return undefined;
  if (outputTokens > 0 && prices.output_mtok === undefined) return undefined;
  const { counts, isEstimate } = partsOf(prices, usage, multiples);
  // In the order of the table, and the sides apart, as its own library adds up.
  let [input, output, other] = [0, 0, 0];
  for (const [key, price] of Object.entries(prices)) {
    const count = counts[key] ?? 0;
    if (price === undefined || count === 0) continue;
    const usd = costOf(price, count, inputTokens, key.endsWith('_kcount') ? THOUSAND : MILLION);
    if (key.endsWith('_kcount')) other += usd;
    else if (key.startsWith('output_')) output += usd;
    else input += usd;
  }
  const served = serviceTier === undefined ? 1 : multiples[serviceTier];
  const searched = prices.web_searches_kcount === undefined ? webSearches : 0;
  other += (multiples.thousandSearchesUsd * searched) / THOUSAND;
  const tokens = served === 1 ? input + output : (input + output) * served;
  const price = fromUsd(tokens + other);
  return isEstimate || served !== 1 || searched > 0 ? { ...price, isEstimate: true } : price;
}

/** Counts each token once: what may be two things counts as the first of them. */
function partsOf(prices: ModelPrice, usage: CheckedUsage, multiples: Multiples): Parts {
  const counts: Counts = { requests_kcount: 1, web_searches_kcount: usage.webSearches };
  let isEstimate = false;
  let left = 0;
  const part = (key: string, count: number, otherwise: string, multiple = 1): void => {
    const taken = Math.min(count, left);
    left -= taken;
    const isKnown = prices[key] !== undefined;
    if (!isKnown && multiple !== 1 && taken > 0) isEstimate = true;
    const to = isKnown ? key : otherwise;
    counts[to] = (counts[to] ?? 0) + (isKnown ? taken : taken * multiple);
  };
  const { cacheWriteTokens, cacheWrite1hTokens, inputAudioTokens, cachedAudioTokens } = usage;
  const { inputAudio, outputAudio, cacheWrite, cacheWrite1h } = multiples;
  left = usage.inputTokens;
  const asSound = prices.input_audio_mtok === undefined ? 'input_mtok' : 'input_audio_mtok';
  const soundMultiple = asSound === 'input_mtok' ? inputAudio : 1;
  part('cache_audio_read_mtok', cachedAudioTokens, asSound, soundMultiple);
  part('input_audio_mtok', inputAudioTokens - cachedAudioTokens, 'input_mtok', inputAudio);
  part('input_image_mtok', usage.inputImageTokens, 'input_mtok');
  part('cache_write_1h_mtok', cacheWrite1hTokens, 'input_mtok', cacheWrite1h);
  part('cache_write_mtok', cacheWriteTokens - cacheWrite1hTokens, 'input_mtok', cacheWrite);
  const cachedText = Math.max(0, usage.cachedInputTokens - cachedAudioTokens);
  part('cache_read_mtok', cachedText, 'input_mtok');
  part('input_mtok', left, 'input_mtok');
  left = usage.outputTokens;
  part('output_audio_mtok', usage.outputAudioTokens, 'output_mtok', outputAudio);
  part('output_image_mtok', usage.outputImageTokens, 'output_mtok');
  part('output_reasoning_mtok', usage.reasoningTokens, 'output_mtok');
  part('output_mtok', left, 'output_mtok');
  return { counts, isEstimate };
}

/** The price of so many units, which may depend on the length of the prompt. */
function costOf(
  price: number | TieredPrices,
  count: number,
  inputTokens: number,
  per: number,
): number {
  if (typeof price === 'number') return (price * count) / per;
  const reached = price.tiers.filter(({ start }) => inputTokens > start);
  const usd = reached.reduce((_, tier) => tier.price, price.base);
  return (((usd * count) / MILLION) * MILLION) / per;
}
