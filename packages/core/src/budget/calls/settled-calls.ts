import { BoundedMap } from '../../bounded-map.ts';
import { type Codec, list, pair, text } from '../../state/codec.ts';
import type { Cost } from '../../trip.ts';
import { beyond } from '../amount.ts';
import { COST, NO_COST, sum } from '../spend-history.ts';

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
