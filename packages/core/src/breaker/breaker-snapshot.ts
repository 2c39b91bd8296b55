import type { Detector } from '../detector.ts';
import { InvalidSnapshotError } from '../errors.ts';
import type { FindingKind } from '../finding.ts';
import type { JsonValue } from '../json.ts';
import type { CircuitState } from './circuit.ts';

/** The version of the snapshots this package writes and reads. */
export const SNAPSHOT_VERSION = 2;

/** The state of a {@link Breaker} as plain JSON. Only `version` is meant to be read by others. */
export interface BreakerSnapshot {
  readonly version: typeof SNAPSHOT_VERSION;
  readonly spend: JsonValue;
  readonly conversations: Readonly<Record<string, ConversationSnapshot>>;
  /** Missing in a snapshot of an earlier version. */
  readonly counters?: JsonValue;
}

/** The state of one conversation. */
export interface ConversationSnapshot {
  readonly nextIndex: number;
  readonly circuit: CircuitState;
  readonly analysis: JsonValue;
  readonly detectors: Readonly<Record<string, JsonValue>>;
  readonly spend: JsonValue;
  readonly recent: JsonValue;
  readonly warned: readonly FindingKind[];
  readonly judge: JsonValue;
  /** Missing in a snapshot of an earlier version. */
  readonly counters?: JsonValue;
}

/** Checks the outer form of a snapshot. @internal */
export function checkSnapshot(value: unknown): BreakerSnapshot {
  expect(isRecord(value), '', 'an object', value);
  const { version, spend, conversations } = value;
  expect(version === SNAPSHOT_VERSION, 'version', `version ${SNAPSHOT_VERSION}`, version);
  expect(isRecord(spend), 'spend', 'an object', spend);
  expect(isRecord(conversations), 'conversations', 'an object', conversations);
  return value as unknown as BreakerSnapshot;
}

/** Checks a conversation's own fields; its parts check theirs when they are restored. @internal */
export function checkConversation(
  value: unknown,
  detectors: readonly Detector[],
): ConversationSnapshot {
  expect(isRecord(value), 'conversation', 'an object', value);
  const { nextIndex } = value;
  expect(
    Number.isSafeInteger(nextIndex) && (nextIndex as number) >= 0,
    'nextIndex',
    'a whole number of at least 0',
    nextIndex,
  );
  checkCircuit(value.circuit);
  const states = value.detectors;
  expect(isRecord(states), 'detectors', 'an object', states);
  for (const { kind } of detectors) {
    expect(states[kind] !== undefined, `detectors.${kind}`, `the state of '${kind}'`, states[kind]);
  }
  const known = new Set<string>(detectors.map(({ kind }) => kind));
  const stranger = Object.keys(states).find((kind) => !known.has(kind));
  expect(stranger === undefined, 'detectors', `only ${[...known].join(', ')}`, stranger);
  expect(isTexts(value.warned), 'warned', 'an array of kinds', value.warned);
  for (const field of ['analysis', 'spend', 'recent', 'judge']) {
    expect(value[field] !== undefined, field, 'a state', value[field]);
  }
  return value as unknown as ConversationSnapshot;
}

function checkCircuit(value: unknown): void {
  expect(isRecord(value), 'circuit', 'an object', value);
  const { status } = value;
  if (status === 'closed') return;
  expect(
    typeof status === 'string' && Object.hasOwn(CIRCUIT_NUMBERS, status),
    'circuit.status',
    'closed, open, half-open or stopped',
    status,
  );
  for (const field of CIRCUIT_NUMBERS[status as keyof typeof CIRCUIT_NUMBERS]) {
    expect(Number.isFinite(value[field]), `circuit.${field}`, 'a number', value[field]);
  }
  const { trip } = value;
  expect(isRecord(trip), 'circuit.trip', 'a trip', trip);
  for (const field of ['kind', 'reason']) {
    expect(typeof trip[field] === 'string', `circuit.trip.${field}`, 'text', trip[field]);
  }
  expect(isTexts(trip.agents), 'circuit.trip.agents', 'an array of names', trip.agents);
  expect(isRecord(trip.evidence), 'circuit.trip.evidence', 'an object', trip.evidence);
}

const CIRCUIT_NUMBERS = {
  open: ['openedAt', 'probeFrom', 'openings'],
  'half-open': ['probeId', 'probeUntil', 'openings'],
  stopped: [],
} as const;

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function expect(isMet: boolean, field: string, expected: string, received: unknown): asserts isMet {
  if (!isMet) throw new InvalidSnapshotError(field, expected, received);
}
