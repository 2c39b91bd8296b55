import { InvalidSignalError, isRecord } from '../errors.ts';
import { expect } from './field-checks.ts';
import { type AdmissionRequest, isAnnouncing } from './request.ts';
import type { Signal } from './signal.ts';
import { type Field, REQUEST_FIELDS, SIGNAL_FIELDS } from './signal-fields.ts';

/**
 * Checks that `value` is a {@link Signal} and returns it; unknown fields are ignored.
 *
 * @example
 * ```ts
 * parseSignal({ kind: 'message', at: 0, agent: 'writer', text: 'Hello' }).kind; // => 'message'
 * ```
 * @throws {@link InvalidSignalError} naming the first bad field, the expected and the received value.
 */
export function parseSignal(value: unknown): Signal {
  const record = recordOf(value);
  const kind = kindOf(record);
  const fields = SIGNAL_FIELDS.get(kind);
  if (fields === undefined) {
    throw new InvalidSignalError('kind', `one of ${[...SIGNAL_FIELDS.keys()].join(', ')}`, kind);
  }
  checkFields(record, fields);
  checkTogether(record, kind);
  return value as Signal;
}

/**
 * Checks the fields of a request that the breaker reads; one that announces a signal is checked as that signal.
 * @throws {@link InvalidSignalError}
 */
export function checkRequest(request: AdmissionRequest): void {
  const record = recordOf(request);
  const kind = kindOf(record);
  if (isAnnouncing(request)) {
    parseSignal(request);
    return;
  }
  expect(
    OUTCOME_KINDS.includes(kind),
    'kind',
    'turn, tool-call, execution, model-request, nested-start or handoff',
    kind,
  );
  checkFields(record, REQUEST_FIELDS);
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  if (isRecord(value)) return value;
  throw new InvalidSignalError('', 'an object', value);
}

function kindOf(record: Readonly<Record<string, unknown>>): unknown {
  try {
    return record.kind;
  } catch (error) {
    throw new InvalidSignalError('kind', 'readable data', error);
  }
}

const OUTCOME_KINDS: readonly unknown[] = ['turn', 'tool-call', 'execution'];

function checkFields(record: Readonly<Record<string, unknown>>, fields: readonly Field[]): void {
  let field = '';
  try {
    for (const { name, check, isOptional } of fields) {
      field = name;
      const value = record[name];
      if (value !== undefined || !isOptional) check(name, value);
    }
  } catch (error) {
    if (error instanceof InvalidSignalError) throw error;
    throw new InvalidSignalError(field, 'readable data', error);
  }
}

function checkTogether(record: Readonly<Record<string, unknown>>, kind: unknown): void {
  if (kind === 'tool-call') {
    const { result, error, executed } = record;
    const hasOne = (result === undefined) !== (error === undefined);
    expect(hasOne, 'result', 'exactly one of result and error', result);
    const isTurnedAway = executed === false && error === undefined;
    expect(!isTurnedAway, 'error', 'an error, since the call was not executed', error);
  }
  if (kind === 'human-input') {
    const isSomething = record.text !== undefined || record.decision !== undefined;
    expect(isSomething, 'text', 'at least one of text and decision', record.text);
  }
}
