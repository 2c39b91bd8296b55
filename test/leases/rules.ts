import type { Amount } from '../../packages/core/src/kit.ts';
import {
  RECENT_MS,
  SLICE_RULE,
  type SliceRule,
  type SliceSituation,
  sliceRule,
} from '../../packages/stores/src/server/lease/slice.ts';

const CALLS = 64;

/** The rules that are compared. `none` asks the server about every call. */
export function rulesFor(processes: number): Readonly<Record<string, SliceRule | undefined>> {
  return {
    none: undefined,
    'fixed: 64 calls': unshrunk(1, ({ call, left }) => Math.min(CALLS * call.tokens, left.tokens)),
    // With a number of processes that nobody tells in earnest.
    'the rest / processes / 2': unshrunk(2 * processes, ({ left }) => left.tokens / 2 / processes),
    'a 16th of the rest': unshrunk(16, ({ left }) => left.tokens / 16),
    'own rate': unshrunk(1, ({ calls, call, left }) =>
      Math.min(Math.min(calls, CALLS) * call.tokens, left.tokens),
    ),
    'own rate and a 16th': unshrunk(16, ({ calls, call, left }) =>
      Math.min(Math.min(calls, CALLS) * call.tokens, left.tokens / 16),
    ),
    'own rate and time, 1/2': sliceRule(2),
    'own rate and time, 1/4 (chosen)': SLICE_RULE,
    'own rate and time, 1/8': sliceRule(8),
  };
}

/** A rule that looks at what was not used with each heart-beat only. */
function unshrunk(parts: number, count: (situation: SliceSituation) => number): SliceRule {
  const wanted = (situation: SliceSituation): Amount => ({
    nanoUsd: 0,
    tokens: Math.floor(count(situation)),
  });
  return { parts, wanted, forMs: () => RECENT_MS };
}
