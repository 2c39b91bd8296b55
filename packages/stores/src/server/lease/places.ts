import { BoundedMap, type BudgetLimits, type Purse, type PurseTotals } from '@teamfuse/core/kit';
import { NOTHING } from '../amounts.ts';
import { Demand } from './demand.ts';
import type { Lease } from './lease.ts';
import { leftFor } from './room.ts';
import type { SliceSituation } from './slice.ts';
import { Trend } from './trend.ts';

/** The books of a purse at the last answer, by its name. */
export type Seen = (name: string) => PurseTotals | undefined;

/** Beyond this many, the place used longest ago is forgotten. */
const MAX_PLACES = 1_000;

/** The calls of one set of purses under the same limits, and the lease that they are admitted from. */
export class Place {
  readonly limits: BudgetLimits;
  readonly purses: readonly Purse[];
  readonly demand: Demand = new Demand();
  lease: Lease | undefined;
  readonly #trend: Trend = new Trend();

  constructor(limits: BudgetLimits, purses: readonly Purse[]) {
    this.limits = limits;
    this.purses = purses;
  }

  situation(now: number, seen: Seen): SliceSituation {
    const left = leftFor(this.limits, this.purses, this.lease?.idle ?? NOTHING, seen);
    return { ...this.demand.at(now), left, lastsMs: this.#trend.lastsMs(left) };
  }

  /** Notes how fast the budget is used up, which an answer has just told. */
  notice(now: number, seen: Seen): void {
    this.#trend.note(this.situation(now, seen).left, now);
  }
}

/** The places of a process. */
export class Places {
  /** Those used longest ago first. */
  readonly #places: BoundedMap<string, Place> = new BoundedMap(MAX_PLACES);

  of(limits: BudgetLimits, purses: readonly Purse[]): Place {
    const all = [{ ...limits, name: '' }, ...purses];
    const key = JSON.stringify(all.map(({ name, nanoUsd, tokens }) => [name, nanoUsd, tokens]));
    const place = this.#places.get(key) ?? new Place(limits, purses);
    this.#places.set(key, place);
    return place;
  }

  /** Of those with a lease that no call is under way of, the one used longest ago. */
  oldestAtRest(): Place | undefined {
    return this.#places.values().find(({ lease }) => lease?.hasCalls === false);
  }
}
