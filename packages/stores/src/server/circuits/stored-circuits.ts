import type { CircuitState, Trip } from '@teamfuse/core';
import type { CircuitEvent } from '@teamfuse/core/sharing';
import type { StoredChange, StoredCircuit } from '../../fleet/circuit-store.ts';
import type { Changes } from './circuit-server.ts';

/** How many texts a circuit is. */
const PARTS = 5;

/** The circuit in the answer of a server. */
export function circuitIn(answer: readonly string[]): StoredCircuit {
  const [at, version, ...parts] = answer;
  return { at: Number(at), version: Number(version), state: stateIn(parts) };
}

/** The changes in the answer of a server. */
export function changesIn(answer: readonly string[]): Changes {
  const [at, given, isAll, ...rest] = answer;
  const version = Number(given);
  const changes: StoredChange[] = [];
  for (let i = 0; i + PARTS < rest.length; i += PARTS + 1) {
    const state = stateIn(rest.slice(i + 1, i + 1 + PARTS));
    changes.push({ id: rest[i] ?? '', at: Number(at), version, state });
  }
  return { version, isAll: isAll === '1', changes };
}

/** An event as texts. What it lacks is empty. */
export interface EventTexts {
  readonly type: string;
  readonly probe: string;
  /** For how many milliseconds the probe lasts. */
  readonly lastsMs: string;
  readonly trip: string;
  /** The kind of the trip. */
  readonly kind: string;
}

export function textsOf(event: CircuitEvent): EventTexts {
  const { type } = event;
  return {
    type,
    probe: 'probeId' in event ? String(event.probeId) : '',
    lastsMs: 'lastsMs' in event ? String(event.lastsMs) : '',
    trip: 'trip' in event ? JSON.stringify(event.trip) : '',
    kind: 'trip' in event ? event.trip.kind : '',
  };
}

function stateIn([status, trip = '', ...numbers]: readonly string[]): CircuitState {
  const [first = 0, second = 0, openings = 0] = numbers.map(Number);
  switch (status) {
    case 'open':
      return { status, trip: tripIn(trip), openedAt: first, probeFrom: second, openings };
    case 'half-open':
      return { status, trip: tripIn(trip), probeId: first, probeUntil: second, openings };
    case 'stopped':
      return { status, trip: tripIn(trip) };
    case 'closed':
      return { status };
    default:
      throw new Error(`the server returned a circuit that is '${status}'`);
  }
}

/** Core checks what it is told. */
function tripIn(text: string): Trip {
  return JSON.parse(text) as Trip;
}
