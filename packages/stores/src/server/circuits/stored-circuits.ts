import type { CircuitState, Trip } from '@teamfuse/core';
import type { CircuitEvent, StoredChange, StoredCircuit } from '@teamfuse/core/kit';
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

/** An event as texts: its type, the probe, the trip and its kind. What it lacks is empty. */
export function textsOf(event: CircuitEvent): readonly [string, string, string, string] {
  const probe = 'probeId' in event ? String(event.probeId) : '';
  const [trip, kind] = 'trip' in event ? [JSON.stringify(event.trip), event.trip.kind] : ['', ''];
  return [event.type, probe, trip, kind];
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
