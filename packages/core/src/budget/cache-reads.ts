import type { CallPrice, TokenUsage } from './metering.ts';

/**
 * How many tokens less a prompt counts than it has, if those read from a cache count by their price: 0 unless `price` knows
 * that and the plain one. Sounds and pictures have other prices, and count in full.
 */
export function cacheDiscount(
  usage: TokenUsage,
  price: (usage: TokenUsage) => CallPrice | undefined,
): number {
  const read = textFromCache(usage);
  const { inputTokens } = usage;
  const prompt = { inputTokens, outputTokens: 0 };
  if (read <= 0) return 0;
  // Prices may depend on the length of the prompt.
  const plain = known(price(prompt));
  const cached = known(price({ ...prompt, cachedInputTokens: read }));
  if (plain === undefined || cached === undefined || plain === 0) return 0;
  const discount = Math.floor(((plain - cached) * inputTokens) / plain);
  return Math.max(0, Math.min(discount, read));
}

function textFromCache(usage: TokenUsage): number {
  const { inputTokens, inputAudioTokens = 0, inputImageTokens = 0 } = usage;
  const { cachedInputTokens = 0, cachedAudioTokens = 0 } = usage;
  const text = inputTokens - inputAudioTokens - inputImageTokens;
  return Math.min(cachedInputTokens - cachedAudioTokens, text);
}

function known(price: CallPrice | undefined): number | undefined {
  return price?.isEstimate === true ? undefined : price?.nanoUsd;
}
