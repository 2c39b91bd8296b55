import { BoundedMap } from '../../common/bounded-map.ts';
import type { UsageSignal } from '../../signal/signal.ts';
import { type Codec, list, pair, text } from '../../state/codec.ts';
import { type Amount, beyond, plus, toNanoUsd } from '../amount.ts';
import { COST, type Cost, NO_COST, sum } from '../cost.ts';
import type { ModelCall } from './reservations.ts';

/** How far the reservation counts beyond what has come of an answer. */
const MARGIN = 0.1;

/** The cost of a call, and whether its price is unknown. */
export interface UsageCost {
  readonly cost: Cost;
  readonly isUnpriced: boolean;
}

/**
 * The reported cost of a call. What is missing counts as reserved, or else as `estimate`. 0 tokens for a call that worked count
 * as missing.
 */
export function costOf(
  signal: UsageSignal,
  call: ModelCall | undefined,
  estimate: () => number,
): UsageCost {
  const { inputTokens, outputTokens, costUsd = null, error, isPartial = false } = signal;
  const reported = plus(inputTokens, outputTokens);
  // A failed call that reports no tokens cost nothing.
  const isUnmade = reported === 0 && error !== undefined && !isPartial;
  const isCounted = reported > 0 || isUnmade;
  const tokens = isCounted ? reported : call?.isCounted ? call.amount.tokens : estimate();
  // A price of 0 for 0 tokens is no report.
  const hasPrice = costUsd !== null && (costUsd > 0 || reported > 0);
  const isReserved = !hasPrice && !isUnmade && call?.isPriced === true;
  const isUnpriced = costUsd === null && !isUnmade && !isReserved;
  const nanoUsd = isReserved ? call.amount.nanoUsd : toNanoUsd(costUsd ?? 0);
  const counted =
    isPartial && call ? atLeast({ nanoUsd, tokens }, call, outputTokens > 0) : { nanoUsd, tokens };
  return {
    cost: {
      ...counted,
      unpricedTokens: isUnpriced ? counted.tokens : 0,
      isEstimate:
        signal.isEstimate === true || isPartial || isReserved || (!isCounted && tokens > 0),
    },
    isUnpriced,
  };
}

/**
 * What is counted of a call whose end is not known, or its reservation if that is more. Once something of the answer has come,
 * the rest is on its way at most, and the reservation counts up to a tenth beyond it.
 */
function atLeast(
  seen: Amount,
  { amount, isPriced, isCounted }: ModelCall,
  hasCome: boolean,
): Amount {
  const of = (unit: keyof Amount): number => {
    const most = hasCome ? Math.floor(seen[unit] * (1 + MARGIN)) : amount[unit];
    return Math.max(seen[unit], Math.min(amount[unit], most));
  };
  return {
    nanoUsd: isPriced ? of('nanoUsd') : seen.nanoUsd,
    tokens: isCounted ? of('tokens') : seen.tokens,
  };
}

const MAX_SETTLED = 1024;

/** What calls have cost, in a snapshot. */
export const SETTLED: Codec<readonly (readonly [string, Cost])[]> = list(
  pair(text, COST),
  MAX_SETTLED,
);

/** What the latest calls have cost, so that a call that is reported twice counts once. */
export class SettledCalls {
  /** The one that was reported longest ago first. */
  readonly #costs: BoundedMap<string, Cost> = new BoundedMap(MAX_SETTLED);

  has(call: string): boolean {
    return this.#costs.has(call);
  }

  /** Keeps the cost of a call. */
  add(call: string, cost: Cost): void {
    this.#costs.set(call, cost);
  }

  /** Keeps the cost that is reported once more. Returns how much larger it is than all before. */
  raise(call: string, cost: Cost): Cost {
    const before = this.#costs.get(call) ?? NO_COST;
    const { nanoUsd, tokens } = beyond(cost, before);
    const unpricedTokens = Math.min(cost.unpricedTokens, tokens);
    const isEstimate = cost.isEstimate && nanoUsd + tokens > 0;
    const more = { nanoUsd, tokens, unpricedTokens, isEstimate };
    this.add(call, sum(before, more));
    return more;
  }

  get state(): readonly (readonly [string, Cost])[] {
    return this.#costs.entries();
  }

  set state(costs: readonly (readonly [string, Cost])[]) {
    this.#costs.clear();
    for (const [call, cost] of costs) this.#costs.set(call, cost);
  }
}
