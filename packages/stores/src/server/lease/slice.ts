import type { Amount } from '@teamfuse/core/kit';
import { amountOf, NOTHING, UNITS } from '../amounts.ts';

/** What a process knows when it decides how much to hold ahead of its calls. */
export interface SliceSituation {
  /** How many calls it has made lately in the same purses. Those of {@link RECENT_MS} ago count a third of new ones. */
  readonly calls: number;
  /** What such a call reserves on average. */
  readonly call: Amount;
  /** What is left under all limits, what the process holds ahead included. Infinite where nothing is limited. */
  readonly left: Amount;
  /** For how many milliseconds that lasts, if all processes go on as they did lately. */
  readonly lastsMs: number;
}

/** How large a slice of a budget a process leases, and for how long. */
export interface SliceRule {
  /** The server grants the part `1 / parts` of what is left at most. */
  readonly parts: number;
  /** What to hold ahead of calls; nothing if calls had better go to the server one by one. */
  readonly wanted: (situation: SliceSituation) => Amount;
  /** In how many milliseconds what was not used is looked at again. */
  readonly forMs: (situation: SliceSituation) => number;
}

/** A process expects to make as many calls in so long as it has just made. */
export const RECENT_MS = 20_000;

/** Fewer calls are not worth a lease. */
const FEWEST_CALLS = 4;
/** More calls save next to nothing: one round trip for fifty is two in a hundred. */
const MOST_CALLS = 64;

/**
 * As much as the calls of the next while will take. That while is a part of the time for which the budget lasts: all processes
 * together never hold more than about that part of what is left, however many they are, and as the budget runs low they hold less
 * and less, for ever shorter. At last calls are admitted by the server one by one.
 */
export function sliceRule(parts: number): SliceRule {
  const forMs = ({ lastsMs }: SliceSituation): number => Math.min(RECENT_MS, lastsMs / parts);
  return {
    parts,
    forMs,
    wanted: (situation) => {
      const { calls, call, left } = situation;
      const expected = Math.min(MOST_CALLS, (calls * forMs(situation)) / RECENT_MS);
      const most = amountOf((unit) => left[unit] / parts);
      const isTooLittle = UNITS.some((unit) => most[unit] < FEWEST_CALLS * call[unit]);
      if (expected < FEWEST_CALLS || isTooLittle) return NOTHING;
      return amountOf((unit) => Math.floor(Math.min(expected * call[unit], most[unit])));
    },
  };
}

/** The rule of the stores; docs/decisions/0024 compares it with others. */
export const SLICE_RULE: SliceRule = sliceRule(4);
