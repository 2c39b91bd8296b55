import { BoundedMap } from '../../common/bounded-map.ts';
import type { UsageSignal } from '../../signal/signal.ts';
import { amount, type Codec, list, orElse, pair, record, text } from '../../state/codec.ts';
import { type Amount, beyond, plus, toNanoUsd } from '../amount.ts';
import { COST_FIELDS, type Cost, NO_COST, sum } from '../cost.ts';
import type { BudgetedCall } from './reservations.ts';

/** How far the reservation counts beyond what has come of an answer. */
const MARGIN = 0.1;

/** The cost of a call. */
export interface CallCost extends Cost {
  /** Tokens that do not count against limits, as they were read from a cache. */
  readonly discount: number;
}

/** What the budget books for a call. */
export function bookedFor({ nanoUsd, tokens, discount }: CallCost): Amount {
  return { nanoUsd, tokens: tokens - discount };
}

/** What a usage does not tell itself. */
interface UsageExtras {
  /** How many of its tokens do not count against limits. */
  readonly discount: number;
  /** The tokens of a call of unknown size. */
  readonly estimate: () => number;
}

/**
 * The reported cost of a call, and whether its price is unknown. What is missing counts as reserved, or else as `estimate`. 0 tokens
 * for a call that worked count as missing.
 */
export function costOf(
  signal: UsageSignal,
  call: BudgetedCall | undefined,
  { discount, estimate }: UsageExtras,
): { readonly cost: CallCost; readonly isUnpriced: boolean } {
  const { inputTokens, outputTokens, costUsd = null, error, isPartial = false } = signal;
  const reported = plus(inputTokens, outputTokens);
  // A failed call that reports no tokens cost nothing.
  const isUnmade = reported === 0 && error !== undefined && !isPartial;
  const isCounted = reported > 0 || isUnmade;
  const { whole, counted } = isCounted
    ? { whole: reported, counted: reported - discount }
    : sizeOf(call, estimate);
  // A price of 0 for 0 tokens is no report.
  const hasPrice = costUsd !== null && (costUsd > 0 || reported > 0);
  const isReserved = !hasPrice && !isUnmade && call?.isPriced === true;
  const isUnpriced = costUsd === null && !isUnmade && !isReserved;
  const nanoUsd = isReserved ? call.amount.nanoUsd : toNanoUsd(costUsd ?? 0);
  const seen = { nanoUsd, whole, counted };
  const { whole: tokens, ...took } =
    isPartial && call ? atLeast(seen, call, outputTokens > 0) : seen;
  return {
    cost: {
      nanoUsd: took.nanoUsd,
      tokens,
      discount: tokens - took.counted,
      unpricedTokens: isUnpriced ? tokens : 0,
      isEstimate:
        signal.isEstimate === true || isPartial || isReserved || (!isCounted && whole > 0),
    },
    isUnpriced,
  };
}

/** Money, all tokens, and the tokens that count against limits. */
interface Taken {
  readonly nanoUsd: number;
  readonly whole: number;
  readonly counted: number;
}

/** The size of a call as it was reserved, or else as it is estimated. */
function sizeOf(call: BudgetedCall | undefined, estimate: () => number): Omit<Taken, 'nanoUsd'> {
  if (call?.isCounted !== true) {
    const tokens = estimate();
    return { whole: tokens, counted: tokens };
  }
  const { amount, discount } = call;
  return { whole: plus(amount.tokens, discount), counted: amount.tokens };
}

/**
 * What is counted of a call whose end is not known, or its reservation if that is more. Once something of the answer has come,
 * the rest is on its way at most, and the reservation counts up to a tenth beyond it.
 */
function atLeast(seen: Taken, call: BudgetedCall, hasCome: boolean): Taken {
  const of = (own: number, reserved: number): number => {
    const most = hasCome ? Math.floor(own * (1 + MARGIN)) : reserved;
    return Math.max(own, Math.min(reserved, most));
  };
  const { amount, isPriced, isCounted } = call;
  const size = isCounted ? sizeOf(call, () => 0) : seen;
  return {
    nanoUsd: isPriced ? of(seen.nanoUsd, amount.nanoUsd) : seen.nanoUsd,
    whole: of(seen.whole, size.whole),
    counted: of(seen.counted, size.counted),
  };
}

const FREE: CallCost = { ...NO_COST, discount: 0 };
const MAX_SETTLED = 1024;

/** What calls have cost, in a snapshot. */
export const SETTLED: Codec<readonly (readonly [string, CallCost])[]> = list(
  // The discount is missing in older snapshots.
  pair(text, record<CallCost>({ ...COST_FIELDS, discount: orElse(amount, 0) })),
  MAX_SETTLED,
);

/** What the latest calls have cost, so that a call that is reported twice counts once. */
export class SettledCalls {
  /** The one that was reported longest ago first. */
  readonly #costs: BoundedMap<string, CallCost> = new BoundedMap(MAX_SETTLED);

  has(call: string): boolean {
    return this.#costs.has(call);
  }

  /** Keeps the cost of a call. */
  add(call: string, cost: CallCost): void {
    this.#costs.set(call, cost);
  }

  /** Keeps the cost that is reported once more. Returns how much larger it is than all before. */
  raise(call: string, cost: CallCost): CallCost {
    const before = this.#costs.get(call) ?? FREE;
    const { nanoUsd, tokens } = beyond(cost, before);
    const { tokens: counted } = beyond(bookedFor(cost), bookedFor(before));
    const unpricedTokens = Math.min(cost.unpricedTokens, tokens);
    const isEstimate = cost.isEstimate && nanoUsd + tokens > 0;
    const more = { nanoUsd, tokens, discount: tokens - counted, unpricedTokens, isEstimate };
    this.add(call, { ...sum(before, more), discount: before.discount + more.discount });
    return more;
  }

  get state(): readonly (readonly [string, CallCost])[] {
    return this.#costs.entries();
  }

  set state(costs: readonly (readonly [string, CallCost])[]) {
    this.#costs.clear();
    for (const [call, cost] of costs) this.#costs.set(call, cost);
  }
}
