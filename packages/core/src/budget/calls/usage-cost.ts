import type { UsageSignal } from '../../signal/signal.ts';
import type { Cost } from '../../trip.ts';
import { plus, toNanoUsd } from '../amount.ts';
import type { OpenCall } from './open-calls.ts';

/** What a call has cost, and whether its money is unknown. @internal */
export interface UsageCost {
  readonly cost: Cost;
  readonly isUnpriced: boolean;
}

/**
 * What a call has cost, as it was reported. What was not reported counts as it was reserved, or else as `estimate` says. A
 * provider that reports 0 tokens for a call that worked has reported nothing.
 *
 * @internal
 */
export function costOf(
  signal: UsageSignal,
  call: OpenCall | undefined,
  estimate: () => number,
): UsageCost {
  const { inputTokens, outputTokens, costUsd, error } = signal;
  const reported = plus(inputTokens, outputTokens);
  // A call that failed and reports no tokens has taken none, and needs no price.
  const isUnmade = reported === 0 && error !== undefined;
  const isCounted = reported > 0 || isUnmade;
  const tokens = isCounted ? reported : call?.isCounted ? call.tokens : estimate();
  // A price of 0 for 0 tokens says only that nothing was reported.
  const hasPrice = costUsd !== null && (costUsd > 0 || reported > 0);
  const isReserved = !hasPrice && !isUnmade && call?.isPriced === true;
  const isUnpriced = costUsd === null && !isUnmade && !isReserved;
  return {
    cost: {
      nanoUsd: isReserved ? call.nanoUsd : toNanoUsd(costUsd ?? 0),
      tokens,
      unpricedTokens: isUnpriced ? tokens : 0,
      isEstimate: signal.isEstimate === true || isReserved || (!isCounted && tokens > 0),
    },
    isUnpriced,
  };
}
