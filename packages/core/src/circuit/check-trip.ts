import { COST } from '../budget/cost.ts';
import { InvalidSnapshotError } from '../common/errors.ts';
import { type Basis, isFindingKind } from '../detection/finding.ts';
import { type Codec, choice, count, list, number, recordAt, text } from '../state/codec.ts';
import type { Trip } from './trip.ts';

/** More than any detector reports. */
const MAX_INDICES = 100_000;
const BASIS = choice<Basis>(['certain', 'declared', 'judged', 'suspected']);
const NAMES = list(text, MAX_INDICES);
const INDICES = list(count, MAX_INDICES);

/**
 * Checks a stored trip.
 * @throws {@link InvalidSnapshotError} naming the wrong field.
 */
export function checkTrip(path: string, json: unknown): asserts json is Trip {
  const { kind, basis, conversation, reason, at, index, agents, evidence } = recordAt(path, json);
  checkKind(`${path}.kind`, kind);
  BASIS.read(`${path}.basis`, basis);
  text.read(`${path}.reason`, reason);
  NAMES.read(`${path}.agents`, agents);
  checkEvidence(`${path}.evidence`, evidence);
  text.read(`${path}.conversation`, conversation);
  number.read(`${path}.at`, at);
  count.read(`${path}.index`, index);
}

/** @throws {@link InvalidSnapshotError} */
export function checkKind(path: string, kind: unknown): void {
  if (typeof kind !== 'string') throw new InvalidSnapshotError(path, 'text', kind);
  if (!isFindingKind(kind)) throw new InvalidSnapshotError(path, 'a kind of finding', kind);
}

function checkEvidence(path: string, json: unknown): void {
  const evidence = recordAt(path, json);
  NAMES.read(`${path}.agents`, evidence.agents);
  INDICES.read(`${path}.indices`, evidence.indices);
  number.read(`${path}.count`, evidence.count);
  number.read(`${path}.limit`, evidence.limit);
  optional(count).read(`${path}.newsAt`, evidence.newsAt);
  optional(number).read(`${path}.period`, evidence.period);
  optional(number).read(`${path}.ratio`, evidence.ratio);
  optional(text).read(`${path}.subject`, evidence.subject);
  const { signals } = evidence;
  if (!Array.isArray(signals) || signals.length > MAX_INDICES) {
    throw new InvalidSnapshotError(`${path}.signals`, 'an array of quoted signals', signals);
  }
  for (const [i, ref] of signals.entries()) checkRef(`${path}.signals[${i}]`, ref);
  COST.read(`${path}.cost`, evidence.cost);
}

function checkRef(path: string, json: unknown): void {
  const { index, kind, agent, at, excerpt } = recordAt(path, json);
  count.read(`${path}.index`, index);
  text.read(`${path}.kind`, kind);
  text.read(`${path}.agent`, agent);
  number.read(`${path}.at`, at);
  optional(text).read(`${path}.excerpt`, excerpt);
}

function optional<T>(inner: Codec<T>): { read(path: string, json: unknown): T | undefined } {
  return {
    read: (path, json) => (json === undefined ? undefined : inner.read(path, json)),
  };
}
