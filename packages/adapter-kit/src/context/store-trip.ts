import type { AdmissionRequest, Conversation, Trip } from '@teamfuse/core';

/** Why a step is refused that the budget store gave no answer for. No circuit has opened. */
export function storeTrip(
  { agent }: AdmissionRequest,
  error: unknown,
  { id, cost }: Conversation,
  at: number,
): Trip {
  const cause = error instanceof Error ? error.message : String(error);
  return {
    kind: 'budget',
    conversation: id,
    reason: `the budget could not be asked: ${cause}`,
    at,
    index: 0,
    agents: [agent],
    evidence: { agents: [agent], indices: [], count: 1, limit: 1, signals: [], cost },
  };
}
