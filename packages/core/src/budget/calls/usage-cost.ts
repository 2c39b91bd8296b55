import type { UsageSignal } from '../../signal/signal.ts';
import type { Cost } from '../../trip.ts';
import { plus, toNanoUsd } from '../amount.ts';
import type { ModelCall } from './model-call.ts';

/** The cost of a call, and whether its price is unknown. @internal */
export interface UsageCost {
  readonly cost: Cost;
  readonly isUnpriced: boolean;
}

/**
 * The reported cost of a call. What is missing counts as reserved, or else as `estimate`. 0 tokens for a call that worked count
 * as missing.
 *
 * @internal
 */
export function costOf(
  signal: UsageSignal,
  call: ModelCall | undefined,
  estimate: () => number,
): UsageCost {
  const { inputTokens, outputTokens, costUsd = null, error } = signal;
  const reported = plus(inputTokens, outputTokens);
  // A failed call that reports no tokens cost nothing.
  const isUnmade = reported === 0 && error !== undefined;
  const isCounted = reported > 0 || isUnmade;
  const tokens = isCounted ? reported : call?.isCounted ? call.amount.tokens : estimate();
  // A price of 0 for 0 tokens is no report.
  const hasPrice = costUsd !== null && (costUsd > 0 || reported > 0);
  const isReserved = !hasPrice && !isUnmade && call?.isPriced === true;
  const isUnpriced = costUsd === null && !isUnmade && !isReserved;
  return {
    cost: {
      nanoUsd: isReserved ? call.amount.nanoUsd : toNanoUsd(costUsd ?? 0),
      tokens,
      unpricedTokens: isUnpriced ? tokens : 0,
      isEstimate: signal.isEstimate === true || isReserved || (!isCounted && tokens > 0),
    },
    isUnpriced,
  };
}
