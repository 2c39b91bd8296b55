import type { Trip } from '../../trip.ts';

/** Longest cool-down that back-off can reach: 15 minutes. */
export const MAX_COOLDOWN_MS: number = 15 * 60_000;

/**
 * Where a circuit stands. What only holds in one state lives in that state's variant.
 *
 * `openings` counts how often the circuit opened without having closed in between; each doubles the cool-down.
 */
export type CircuitState =
  | { readonly status: 'closed' }
  | {
      readonly status: 'open';
      readonly trip: Trip;
      readonly openedAt: number;
      /** From this time on a request may probe. */
      readonly probeFrom: number;
      readonly openings: number;
    }
  | {
      readonly status: 'half-open';
      readonly trip: Trip;
      /** The one request that is let through to see whether the team gets on again. */
      readonly probeId: number;
      /** A probe that has not reported by then is given up as failed. */
      readonly probeUntil: number;
      readonly openings: number;
    }
  | { readonly status: 'stopped'; readonly trip: Trip };

/** What can happen to a circuit. */
export type CircuitEvent =
  /** A detector, a budget or a limit found a reason to stop. */
  | { readonly type: 'trip'; readonly trip: Trip }
  /** A request came in and would like to be the probe. */
  | { readonly type: 'probe'; readonly probeId: number }
  /** The probe brought something new. */
  | { readonly type: 'probe-passed'; readonly probeId: number }
  /** The probe ended with nothing new. */
  | { readonly type: 'probe-failed'; readonly probeId: number }
  /** Somebody stopped the team by hand, or what waiting does not cure was found. */
  | { readonly type: 'stop'; readonly trip: Trip }
  /** Somebody closed the circuit by hand. */
  | { readonly type: 'reset' };

/** The state of a new circuit. */
export const CLOSED: CircuitState = { status: 'closed' };

/**
 * The circuit as a pure function: what `event` at time `at` makes of `state`.
 *
 * Gives `state` itself back when the event changes nothing, so that callers can compare by identity.
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
      if (state.status === 'half-open' && at >= state.probeUntil) {
        return open(state.trip, at, state.openings + 1, cooldownMs);
      }
      if (state.status !== 'open' || at < state.probeFrom) return state;
      return {
        status: 'half-open',
        trip: state.trip,
        probeId: event.probeId,
        probeUntil: at + MAX_COOLDOWN_MS,
        openings: state.openings,
      };
    case 'probe-passed':
      return isProbe(state, event.probeId) ? CLOSED : state;
    case 'probe-failed':
      return isProbe(state, event.probeId)
        ? open(state.trip, at, state.openings + 1, cooldownMs)
        : state;
  }
}

/** Whether a person stops what had stopped by itself: raising a budget must not undo that. */
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
  return Math.min(cooldownMs * 2 ** (openings - 1), MAX_COOLDOWN_MS);
}

function isProbe(
  state: CircuitState,
  probeId: number,
): state is Extract<CircuitState, { status: 'half-open' }> {
  return state.status === 'half-open' && state.probeId === probeId;
}
