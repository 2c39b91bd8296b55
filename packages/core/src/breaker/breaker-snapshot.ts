import { checkKind } from '../circuit/check-trip.ts';
import type { CircuitState } from '../circuit/circuit.ts';
import { CIRCUIT } from '../circuit/circuit-codec.ts';
import { isRecord, type JsonValue } from '../common/json.ts';
import type { Detector } from '../detection/detector.ts';
import type { FindingKind } from '../detection/finding.ts';
import { checkPlain } from '../state/check-plain.ts';
import { type Codec, count, expect, moment, record, text } from '../state/codec.ts';

/** The version of the snapshots this package writes and reads. */
export const SNAPSHOT_VERSION = 6;

/** How many conversations are kept besides the main one. */
export const MAX_CONVERSATIONS = 1000;

/** How many open circuits of forgotten conversations are kept. */
export const MAX_OPEN = 10_000;

/** The state of a {@link Breaker} as plain JSON. Only `version` is meant to be read by others. */
export interface BreakerSnapshot {
  readonly version: typeof SNAPSHOT_VERSION;
  readonly spend: JsonValue;
  readonly conversations: Readonly<Record<string, ConversationSnapshot>>;
  readonly counters: JsonValue;
  /** How many teams got an id of their own; missing in older snapshots. */
  readonly teams?: JsonValue;
  /** The open circuits of conversations that are forgotten. */
  readonly open?: JsonValue;
  /** The stop of the whole breaker. */
  readonly halt?: JsonValue;
  /** The stops of tenants. */
  readonly halts?: JsonValue;
}

/** A stop of the whole breaker or of a tenant: why and when. */
export interface TenantStop {
  readonly reason: string;
  readonly at: number;
}

export const TENANT_STOP: Codec<TenantStop> = record<TenantStop>({ reason: text, at: moment });

/** The state of one conversation. */
export interface ConversationSnapshot {
  readonly nextIndex: number;
  readonly circuit: CircuitState;
  /** How many probes there were. */
  readonly probes: number;
  readonly analysis: JsonValue;
  readonly detectors: Readonly<Record<string, JsonValue>>;
  readonly spend: JsonValue;
  readonly recent: JsonValue;
  readonly warned: readonly FindingKind[];
  /** How far the team has come that is told first; missing in snapshots from before. */
  readonly ladder?: JsonValue;
  readonly judge: JsonValue;
  readonly counters: JsonValue;
  /** A run that was begun, and has no signal yet. */
  readonly run?: JsonValue;
}

/** Checks the outer form of a snapshot. */
export function checkSnapshot(value: unknown): BreakerSnapshot {
  expect(isRecord(value), '', 'an object', value);
  checkPlain(value);
  const { version, spend, conversations } = value;
  expect(version === SNAPSHOT_VERSION, 'version', `version ${SNAPSHOT_VERSION}`, version);
  expect(isRecord(spend), 'spend', 'an object', spend);
  expect(isRecord(conversations), 'conversations', 'an object', conversations);
  const kept = Object.keys(conversations).length;
  expect(kept <= MAX_CONVERSATIONS + 1, 'conversations', `at most ${MAX_CONVERSATIONS}`, kept);
  return value as unknown as BreakerSnapshot;
}

/** Checks the fields of the conversation itself; its parts check theirs on restore. */
export function checkConversation(
  value: unknown,
  detectors: readonly Detector[],
): ConversationSnapshot {
  expect(isRecord(value), 'conversation', 'an object', value);
  count.read('nextIndex', value.nextIndex);
  count.read('probes', value.probes);
  CIRCUIT.read('circuit', value.circuit);
  const states = value.detectors;
  expect(isRecord(states), 'detectors', 'an object', states);
  const known = new Set<string>(detectors.map(({ kind }) => kind));
  const stranger = Object.keys(states).find((kind) => !known.has(kind));
  expect(stranger === undefined, 'detectors', `only ${[...known].join(', ')}`, stranger);
  const { warned } = value;
  expect(Array.isArray(warned), 'warned', 'an array of kinds', warned);
  for (const [i, kind] of warned.entries()) checkKind(`warned[${i}]`, kind);
  for (const field of ['analysis', 'spend', 'recent', 'judge']) {
    expect(value[field] !== undefined, field, 'a state', value[field]);
  }
  return value as unknown as ConversationSnapshot;
}
