import { InvalidSnapshotError } from '@teamfuse/core';
import { textOf } from '@teamfuse/core/options';
import { COST, codecs } from '@teamfuse/core/sharing';
import type { RunFailure, RunRecord } from './run-record.ts';

const { number, record, recordAt, text } = codecs;

/** The latest time that `Date` can represent. */
const LAST_MOMENT = 8.64e15;
const OUTCOMES: readonly unknown[] = ['completed', 'failed', 'stopped'];
const FAILURE: codecs.Codec<RunFailure> = record<RunFailure>({
  kind: text,
  subject: text,
  reason: text,
  fingerprint: text,
});

/**
 * Reads a stored record, for stores.
 * @throws {@link InvalidSnapshotError} naming the wrong field, prefixed by `path`.
 * @throws {@link InvalidOptionError} if `path` is no text.
 */
export function parseRunRecord(path: string, json: unknown): RunRecord {
  textOf('path', path);
  try {
    return recordFrom(path, json);
  } catch (error) {
    if (error instanceof InvalidSnapshotError) throw error;
    throw new InvalidSnapshotError(path, 'readable data', json);
  }
}

function recordFrom(path: string, json: unknown): RunRecord {
  const { task, at, outcome, failure, cost } = recordAt(path, json);
  const checked = {
    task: text.read(`${path}.task`, task),
    at: number.read(`${path}.at`, at),
    cost: COST.read(`${path}.cost`, cost),
  };
  if (Math.abs(checked.at) > LAST_MOMENT) {
    throw new InvalidSnapshotError(`${path}.at`, 'a time in milliseconds', at);
  }
  if (!OUTCOMES.includes(outcome)) {
    throw new InvalidSnapshotError(`${path}.outcome`, OUTCOMES.join(' or '), outcome);
  }
  if (outcome !== 'failed') return { ...checked, outcome: outcome as 'completed' | 'stopped' };
  return { ...checked, outcome, failure: FAILURE.read(`${path}.failure`, failure) };
}
