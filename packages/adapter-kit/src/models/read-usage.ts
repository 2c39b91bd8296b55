import type { TokenUsage } from '@teamfuse/core';

/**
 * The usage that a model server reported. It may be anybody's: `undefined` unless all counts are whole numbers of at least 0,
 * and some are more. Half a report is none, as a call that seems to have taken less than it did leaves room for others.
 */
export function readUsage(usage: TokenUsage | null | undefined): TokenUsage | undefined {
  const { inputTokens, outputTokens, cachedInputTokens = 0 } = Object(usage);
  if (![inputTokens, outputTokens, cachedInputTokens].every(isCount)) return undefined;
  if (inputTokens + outputTokens === 0) return undefined;
  return { inputTokens, outputTokens, ...(cachedInputTokens > 0 && { cachedInputTokens }) };
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
