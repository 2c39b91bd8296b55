import type { Trip } from './trip.ts';

/** Longest cool-down that back-off can reach: 15 minutes. */
export const MAX_COOLDOWN_MS: number = 15 * 60_000;
/** After so many even a cool-down of a millisecond is the longest. */
const MAX_DOUBLINGS = 20;

/**
 * The state of a circuit. `openings` counts how often it opened since it was last closed; each opening doubles the cool-down.
 */
export type CircuitState =
  | { readonly status: 'closed' }
  | {
      readonly status: 'open';
      readonly trip: Trip;
      readonly openedAt: number;
      /** The earliest time of a probe. */
      readonly probeFrom: number;
      readonly openings: number;
    }
  | {
      readonly status: 'half-open';
      readonly trip: Trip;
      /** The one request that is let through to test whether the team makes progress again. */
      readonly probeId: number;
      /** A probe that has not reported by then has failed. */
      readonly probeUntil: number;
      readonly openings: number;
    }
  | { readonly status: 'stopped'; readonly trip: Trip };

/** What can happen to a circuit. */
export type CircuitEvent =
  /** A detector, a budget or a limit found a reason to stop. */
  | { readonly type: 'trip'; readonly trip: Trip }
  /**
   * A request asks to be the probe. `lastsMs` is a lease, which it renews by asking again, so that another request takes over the
   * probe of a process that has died.
   */
  | { readonly type: 'probe'; readonly probeId: number; readonly lastsMs?: number }
  /** The probe made progress. */
  | { readonly type: 'probe-passed'; readonly probeId: number }
  /** The probe ended without progress. */
  | { readonly type: 'probe-failed'; readonly probeId: number }
  /** The probe did not take place, or was cancelled. */
  | { readonly type: 'probe-cancelled'; readonly probeId: number }
  /** The team was stopped by hand, or by a reason that waiting does not cure. */
  | { readonly type: 'stop'; readonly trip: Trip }
  /** The circuit was closed by hand. */
  | { readonly type: 'reset' };

export const CLOSED: CircuitState = { status: 'closed' };

/**
 * The circuit as a pure function. Returns `state` itself if the event changes nothing.
 */
export function transition(
  state: CircuitState,
  event: CircuitEvent,
  at: number,
  cooldownMs: number,
): CircuitState {
  switch (event.type) {
    case 'reset':
      return state.status === 'closed' ? state : CLOSED;
    case 'stop':
      return state.status === 'stopped' && !isByHand(event.trip, state.trip)
        ? state
        : { status: 'stopped', trip: event.trip };
    case 'trip':
      if (state.status === 'closed') return open(event.trip, at, 1, cooldownMs);
      if (state.status === 'half-open') return open(event.trip, at, state.openings + 1, cooldownMs);
      return state;
    case 'probe':
      return probe(state, event, at, cooldownMs);
    case 'probe-passed':
      return isProbe(state, event.probeId) ? CLOSED : state;
    case 'probe-failed':
      return isProbe(state, event.probeId)
        ? open(state.trip, at, state.openings + 1, cooldownMs)
        : state;
    case 'probe-cancelled':
      return isProbe(state, event.probeId)
        ? open(state.trip, at, state.openings, cooldownMs)
        : state;
  }
}

function probe(
  state: CircuitState,
  { probeId, lastsMs }: Extract<CircuitEvent, { type: 'probe' }>,
  at: number,
  cooldownMs: number,
): CircuitState {
  if (state.status === 'half-open') {
    const isOver = at >= state.probeUntil;
    if (isOver && lastsMs === undefined)
      return open(state.trip, at, state.openings + 1, cooldownMs);
    const goesOn = lastsMs !== undefined && state.probeId === probeId;
    if (!isOver && !goesOn) return state;
  } else if (state.status !== 'open' || at < state.probeFrom) return state;
  const { trip, openings } = state;
  const probeUntil = at + (lastsMs ?? MAX_COOLDOWN_MS);
  const isSame =
    state.status === 'half-open' && state.probeId === probeId && state.probeUntil === probeUntil;
  return isSame ? state : { status: 'half-open', trip, probeId, probeUntil, openings };
}

/** Whether a person stops what had already stopped by itself: raising a budget must not undo that. */
function isByHand(trip: Trip, before: Trip): boolean {
  return trip.kind === 'manual' && before.kind !== 'manual';
}

function open(trip: Trip, at: number, openings: number, cooldownMs: number): CircuitState {
  return {
    status: 'open',
    trip,
    openedAt: at,
    probeFrom: at + backoff(cooldownMs, openings),
    openings,
  };
}

function backoff(cooldownMs: number, openings: number): number {
  // Beyond the longest cool-down; twice as long for ever would be no number.
  const doublings = Math.min(openings - 1, MAX_DOUBLINGS);
  return Math.min(cooldownMs * 2 ** doublings, MAX_COOLDOWN_MS);
}

function isProbe(
  state: CircuitState,
  probeId: number,
): state is Extract<CircuitState, { status: 'half-open' }> {
  return state.status === 'half-open' && state.probeId === probeId;
}
