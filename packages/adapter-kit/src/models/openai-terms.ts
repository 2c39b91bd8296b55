import type { TokenUsage } from '@teamfuse/core';

/** Usage in the words in which OpenAI and most others report it. */
export interface RequestUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedPromptTokens?: number;
}

/** The same usage in the words of price books. */
export function tokenUsage(usage: RequestUsage | null | undefined): TokenUsage | undefined {
  if (usage === null || usage === undefined) return undefined;
  const { promptTokens, completionTokens, cachedPromptTokens } = usage;
  return {
    inputTokens: promptTokens,
    outputTokens: completionTokens,
    ...(cachedPromptTokens !== undefined && { cachedInputTokens: cachedPromptTokens }),
  };
}

/** The limit of an answer's length in the arguments of a call, if they have one in OpenAI's terms. */
export function outputLimit(args: Readonly<Record<string, unknown>> = {}): number | undefined {
  const limit = args.max_completion_tokens ?? args.max_tokens;
  return Number.isSafeInteger(limit) && (limit as number) >= 0 ? (limit as number) : undefined;
}
