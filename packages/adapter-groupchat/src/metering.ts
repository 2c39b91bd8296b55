/** Tokens of one model call. */
export interface TokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens?: number;
}

/** Knows what model calls cost; the price books of `@teamfuse/metering` fit. */
export interface PriceBook {
  /** The price in billionths of a US dollar, or `undefined` when it is not known. */
  price(model: string, usage: TokenUsage): { readonly nanoUsd: number } | undefined;
}

/** Counts the tokens of prompts; the counters of `@teamfuse/metering` fit. */
export interface TokenCounter {
  countMessages(messages: readonly { readonly content: string; readonly name?: string }[]): number;
}
