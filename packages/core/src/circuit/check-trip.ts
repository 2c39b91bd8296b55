import { COST } from '../budget/cost.ts';
import { InvalidSnapshotError } from '../common/errors.ts';
import { type Basis, isFindingKind } from '../detection/finding.ts';
import { choice, count, expect, list, number, orElse, record, text } from '../state/codec.ts';
import type { Trip } from './trip.ts';

/** More than any detector reports. */
const MAX_INDICES = 100_000;
const NAMES = list(text, MAX_INDICES);
const OPTIONAL_TEXT = orElse<string | undefined>(text, undefined);
const OPTIONAL_NUMBER = orElse<number | undefined>(number, undefined);

const EVIDENCE = record({
  agents: NAMES,
  indices: list(count, MAX_INDICES),
  count: number,
  limit: number,
  newsAt: orElse<number | undefined>(count, undefined),
  period: OPTIONAL_NUMBER,
  ratio: OPTIONAL_NUMBER,
  subject: OPTIONAL_TEXT,
  cost: COST,
});
const TRIP = record({
  basis: choice<Basis>(['certain', 'declared', 'judged', 'suspected']),
  reason: text,
  agents: NAMES,
  evidence: EVIDENCE,
  conversation: text,
  at: number,
  index: count,
});
const SIGNALS = list(
  record({ index: count, kind: text, agent: text, at: number, excerpt: OPTIONAL_TEXT }),
);

/**
 * Checks a stored trip.
 * @throws {@link InvalidSnapshotError} naming the wrong field.
 */
export function checkTrip(path: string, json: unknown): asserts json is Trip {
  TRIP.read(path, json);
  const { kind, evidence } = json as Trip;
  checkKind(`${path}.kind`, kind);
  const { signals } = evidence;
  const isQuoted = Array.isArray(signals) && signals.length <= MAX_INDICES;
  expect(isQuoted, `${path}.evidence.signals`, 'an array of quoted signals', signals);
  SIGNALS.read(`${path}.evidence.signals`, signals);
}

/** @throws {@link InvalidSnapshotError} */
export function checkKind(path: string, kind: unknown): void {
  if (typeof kind !== 'string') throw new InvalidSnapshotError(path, 'text', kind);
  if (!isFindingKind(kind)) throw new InvalidSnapshotError(path, 'a kind of finding', kind);
}
