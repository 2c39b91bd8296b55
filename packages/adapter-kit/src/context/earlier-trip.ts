import type { Trip } from '@teamfuse/core';
import type { Run } from './scope.ts';

/** A trip for the reader of a run's result: one from before the run says so, and how long the circuit stays open. */
export function withEarlierTrip({ tripBefore, conversation }: Run, trip: Trip): Trip {
  if (trip !== tripBefore || trip.kind === 'manual') return trip;
  const { state } = conversation;
  const leftMs = state.status === 'open' ? state.probeFrom - conversation.now() : 0;
  const time = leftMs > 0 ? ` for ${Math.ceil(leftMs / 1000)} s` : '';
  return {
    ...trip,
    reason: `the circuit is still open${time} after an earlier run: ${trip.reason}`,
  };
}
