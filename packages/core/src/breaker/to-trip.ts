import { cleanText } from '../excerpt.ts';
import type { Found } from '../finding.ts';
import type { Trip } from '../trip.ts';
import type { RecentSignals } from './recent-signals.ts';
import type { SpendHistory } from './spend-history.ts';

const REASON_LENGTH = 400;

/** What a finding looks like as a trip: cleaned, with its signals quoted and what they have cost. @internal */
export function toTrip(
  { finding, index, at }: Found,
  recent: RecentSignals,
  spend: SpendHistory,
): Trip {
  const { kind, reason, evidence } = finding;
  return {
    kind,
    reason: cleanText(reason, REASON_LENGTH),
    at,
    index,
    agents: evidence.agents,
    evidence: {
      ...evidence,
      signals: recent.quote(evidence.indices),
      cost: spend.since(evidence.indices[0] ?? index),
    },
  };
}
