import { cleanText } from './excerpt.ts';
import type { Finding } from './finding.ts';
import type { RecentSignals } from './recent-signals.ts';
import type { SpendHistory } from './spend-history.ts';
import type { Trip } from './trip.ts';

const REASON_LENGTH = 400;

/** What a finding looks like as a trip: cleaned, with its signals quoted and what they have cost. @internal */
export function toTrip(
  { kind, reason, evidence }: Finding,
  when: { readonly index: number; readonly at: number },
  recent: RecentSignals,
  spend: SpendHistory,
): Trip {
  return {
    kind,
    reason: cleanText(reason, REASON_LENGTH),
    at: when.at,
    index: when.index,
    agents: evidence.agents,
    evidence: {
      ...evidence,
      signals: recent.quote(evidence.indices),
      cost: spend.since(evidence.indices[0] ?? when.index),
    },
  };
}
