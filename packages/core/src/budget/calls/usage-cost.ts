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
  const isCounted = reported > 0 || error !== undefined;
  const tokens = isCounted ? reported : call?.isCounted ? call.tokens : estimate();
  // No price of no tokens is a price: it only says that nothing was reported.
  const isPriced = costUsd !== null && (costUsd > 0 || isCounted || !call?.isPriced);
  const isReserved = !isPriced && call?.isPriced === true && (reported > 0 || !isCounted);
  const isUnpriced = costUsd === null && !isReserved && (reported > 0 || !isCounted);
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
