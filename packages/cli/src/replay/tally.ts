/** What model calls took, added up. */
export interface Tally {
  readonly tokens: number;
  /** Billionths of a US dollar; `null` where no price is known. */
  readonly nanoUsd: number | null;
  /** Tokens of unknown price. */
  readonly unpricedTokens: number;
}

export const NANO_USD = 1e9;
export const NO_CALLS: Tally = { tokens: 0, nanoUsd: null, unpricedTokens: 0 };

/** With a further call, whose price may be unknown. */
export function plusCall(tally: Tally, tokens: number, costUsd: number | null): Tally {
  const { nanoUsd, unpricedTokens } = tally;
  return {
    tokens: tally.tokens + tokens,
    nanoUsd: costUsd === null ? nanoUsd : (nanoUsd ?? 0) + Math.round(costUsd * NANO_USD),
    unpricedTokens: unpricedTokens + (costUsd === null ? tokens : 0),
  };
}

/** What came after `before`. */
export function since(before: Tally, all: Tally): Tally {
  const unpricedTokens = all.unpricedTokens - before.unpricedTokens;
  const tokens = all.tokens - before.tokens;
  const isKnown = all.nanoUsd !== null && (tokens === 0 || unpricedTokens < tokens);
  const nanoUsd = isKnown ? (all.nanoUsd ?? 0) - (before.nanoUsd ?? 0) : null;
  return { tokens, nanoUsd, unpricedTokens };
}
