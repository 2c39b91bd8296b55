import type { Step } from '../analysis/step.ts';
import type { Finding } from '../finding.ts';

/** Where the same came, how often, and how often is enough. */
export interface Round {
  readonly indices: readonly number[];
  /** As many as there are indices, unless that is said. */
  readonly count?: number;
  readonly limit?: number;
  readonly period?: number;
}

/** The finding that `what` came so many times. @internal */
export function foundAgain(step: Step, what: string, round: Limited<Round>): Finding {
  const { indices, count = indices.length, period = 1 } = round;
  const of = period > 1 ? ` in rounds of ${period}` : '';
  const reason = `${what} ${count} times${of}, with nothing new in between`;
  return repetitionOf(step, reason, { ...round, count });
}

/** A repetition that ends with `step`, for a reason of its own. @internal */
export function repetitionOf(
  { signal, deed }: Step,
  reason: string,
  { indices, count = indices.length, limit, period }: Limited<Round>,
): Finding {
  return {
    level: 'trip',
    kind: 'repetition',
    reason,
    evidence: {
      agents: [signal.agent],
      indices,
      count,
      limit,
      ...(period !== undefined && { period }),
      ...(deed?.subject && { subject: deed.subject }),
    },
  };
}

type Limited<R extends Round> = R & { readonly limit: number };
