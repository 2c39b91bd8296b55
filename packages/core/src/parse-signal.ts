import { InvalidSignalError } from './errors.ts';
import { checkJson } from './json.ts';
import { type AdmissionRequest, isAnnouncing } from './request.ts';
import type { Signal } from './signal.ts';
import { type Field, type FieldType, REQUEST_FIELDS, SIGNAL_FIELDS } from './signal-fields.ts';

/**
 * Checks that `value` is a {@link Signal} and gives it back as one; unknown fields are left alone.
 *
 * @example
 * ```ts
 * parseSignal({ kind: 'message', at: 0, agent: 'writer', text: 'Hello' }).kind; // => 'message'
 * ```
 * @throws {@link InvalidSignalError} naming the first bad field, what was expected there and what came.
 */
export function parseSignal(value: unknown): Signal {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InvalidSignalError('', 'an object', value);
  }
  const record = value as Readonly<Record<string, unknown>>;
  const { kind } = record;
  const fields = SIGNAL_FIELDS.get(kind);
  if (fields === undefined) {
    throw new InvalidSignalError('kind', `one of ${[...SIGNAL_FIELDS.keys()].join(', ')}`, kind);
  }
  checkFields(record, fields);
  checkTogether(record, kind);
  return value as Signal;
}

/**
 * Checks a request as far as the breaker goes by it: one that announces a signal is that signal.
 * @throws {@link InvalidSignalError} naming the first bad field, what was expected there and what came.
 * @internal
 */
export function checkRequest(request: AdmissionRequest): void {
  if (isAnnouncing(request)) {
    parseSignal(request);
    return;
  }
  expect(OUTCOME_KINDS.includes(request.kind), 'kind', 'a kind of request', request.kind);
  checkFields(request as unknown as Readonly<Record<string, unknown>>, REQUEST_FIELDS);
}

const OUTCOME_KINDS: readonly unknown[] = ['turn', 'tool-call', 'execution'];

function checkFields(record: Readonly<Record<string, unknown>>, fields: readonly Field[]): void {
  for (const { name, type, isOptional } of fields) {
    try {
      const field = record[name];
      if (field !== undefined || !isOptional) checkField(name, type, field);
    } catch (error) {
      if (error instanceof InvalidSignalError) throw error;
      throw new InvalidSignalError(name, 'data that can be read', error);
    }
  }
}

function checkField(field: string, type: FieldType, value: unknown): void {
  if (type === 'json') checkJson(field, value);
  else if (type === 'error') checkError(field, value);
  else expect(PLAIN_TYPES[type].isMet(value), field, PLAIN_TYPES[type].expected, value);
}

const ROLES: readonly unknown[] = ['user', 'assistant', 'system'];
const DECISIONS: readonly unknown[] = ['approve', 'reject', 'timeout'];

/** What a plain field must be, and how to say so. */
const PLAIN_TYPES: Readonly<
  Record<
    Exclude<FieldType, 'json' | 'error'>,
    { readonly expected: string; readonly isMet: (value: unknown) => boolean }
  >
> = {
  text: { expected: 'text', isMet: (value) => typeof value === 'string' },
  name: {
    expected: 'text, not empty',
    isMet: (value) => typeof value === 'string' && value !== '',
  },
  boolean: { expected: 'true or false', isMet: (value) => typeof value === 'boolean' },
  count: { expected: 'a whole number of at least 0', isMet: isCount },
  number: { expected: 'a finite number of at least 0', isMet: isAmount },
  money: {
    expected: 'US dollars of at least 0, or null',
    isMet: (value) => value === null || isAmount(value),
  },
  'exit-code': {
    expected: 'a whole number, or null',
    isMet: (value) => value === null || Number.isSafeInteger(value),
  },
  names: {
    expected: 'an array of text',
    isMet: (value) => Array.isArray(value) && value.every((name) => typeof name === 'string'),
  },
  role: { expected: `one of ${ROLES.join(', ')}`, isMet: (value) => ROLES.includes(value) },
  decision: {
    expected: `one of ${DECISIONS.join(', ')}`,
    isMet: (value) => DECISIONS.includes(value),
  },
};

function checkError(field: string, value: unknown): void {
  expect(typeof value === 'object' && value !== null, field, 'an object with a message', value);
  const { message, code } = value as { message?: unknown; code?: unknown };
  expect(typeof message === 'string', `${field}.message`, 'text', message);
  expect(code === undefined || typeof code === 'string', `${field}.code`, 'text', code);
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

function expect(isMet: boolean, field: string, expected: string, received: unknown): void {
  if (!isMet) throw new InvalidSignalError(field, expected, received);
}

function isAmount(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
