import type { Cost, Trip } from '@teamfuse/core';
import { falseAlarmAdvice } from '@teamfuse/core/kit';
import type { Attributes } from './attributes.ts';

/** What is sent with `form: 'json'`. Fields may be added; none changes its meaning. */
export interface TripNotification {
  readonly type: 'teamfuse.trip';
  /** When the circuit opened, in ISO 8601 and by the clock of the breaker. */
  readonly timestamp: string;
  readonly data: TripData;
}

/** What a trip was about. */
export interface TripData {
  /** The id of the stopped conversation; empty for the main one. */
  readonly conversation: string;
  /** Such as `repetition` or `budget`. */
  readonly kind: string;
  /** What it is based on: `certain`, `declared`, `judged` or `suspected`. */
  readonly basis: string;
  /** One sentence for people. It may quote what the team said, unless the breaker has `excerpts: false`. */
  readonly reason: string;
  /** The agents involved, in order of appearance. */
  readonly agents: readonly string[];
  /** The exhausted purse, such as `user:ann`; missing for the whole budget and for other kinds. */
  readonly purse?: string;
  /** What the conversation had spent; missing if the breaker does not know it any more. */
  readonly spent?: {
    /** US dollars, without calls of unknown price. */
    readonly usd: number;
    readonly tokens: number;
    /** Tokens of calls of unknown price. */
    readonly unpricedTokens: number;
    /** Whether any of it is an estimate. */
    readonly isEstimate: boolean;
  };
  /** What to change so that the team continues, or if it was a false alarm: one sentence for people. */
  readonly suggestion: string;
  /** The option `attributes`. */
  readonly attributes: Attributes;
}

const NANO_USD_PER_USD = 1e9;

/** What is told of a trip. */
export function notificationOf(
  trip: Trip,
  spent: Cost | undefined,
  attributes: Attributes,
): TripNotification {
  const { conversation, kind, basis, reason, agents, evidence } = trip;
  const { purse } = evidence;
  return {
    type: 'teamfuse.trip',
    timestamp: isoOf(trip.at),
    data: {
      conversation,
      kind,
      basis,
      reason,
      agents: [...agents],
      ...(purse !== undefined && { purse }),
      ...(spent !== undefined && { spent: spentOf(spent) }),
      suggestion: falseAlarmAdvice(kind, evidence),
      attributes,
    },
  };
}

function spentOf({
  nanoUsd,
  tokens,
  unpricedTokens,
  isEstimate,
}: Cost): NonNullable<TripData['spent']> {
  return { usd: nanoUsd / NANO_USD_PER_USD, tokens, unpricedTokens, isEstimate };
}

/** A clock of the user's own may tell what is no date. */
function isoOf(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? new Date(0).toISOString() : date.toISOString();
}
