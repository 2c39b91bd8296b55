import { InvalidSignalError } from '../common/errors.ts';
import { isCount, isNonNegative } from '../common/json.ts';
import { checkJson } from '../common/to-json.ts';
import { isErrorStatus } from './error-status.ts';

/** The type of a field of a signal. */
export type FieldType =
  /** Text of any length. */
  | 'text'
  /** A name or an empty string. */
  | 'label'
  /** A name, not empty. */
  | 'name'
  | 'boolean'
  | 'count'
  | 'number'
  | 'money'
  | 'exit-code'
  | 'json'
  | 'names'
  | 'error'
  | 'role'
  | 'tier'
  | 'decision';

/** Throws {@link InvalidSignalError} naming `field` unless `value` is valid there. */
export type FieldCheck = (field: string, value: unknown) => void;

export const FIELD_CHECKS: Readonly<Record<FieldType, FieldCheck>> = {
  text: being('text', isText),
  label: being('text', isText),
  name: being('non-empty text', (value) => isText(value) && value !== ''),
  boolean: being('true or false', (value) => typeof value === 'boolean'),
  count: being('a whole number of at least 0', isCount),
  number: being('a finite number of at least 0', isNonNegative),
  money: being(
    'US dollars of at least 0, or null',
    (value) => value === null || isNonNegative(value),
  ),
  'exit-code': being(
    'a whole number, or null',
    (value) => value === null || Number.isSafeInteger(value),
  ),
  json: checkJson,
  names: being('an array of text', (value) => Array.isArray(value) && value.every(isText)),
  error: checkError,
  role: oneOf('user', 'assistant', 'system'),
  tier: oneOf('batch', 'flex', 'priority', 'fast'),
  decision: oneOf('approve', 'reject', 'timeout'),
};

/** Throws {@link InvalidSignalError} unless `isMet`. */
export function expect(isMet: boolean, field: string, expected: string, received: unknown): void {
  if (!isMet) throw new InvalidSignalError(field, expected, received);
}

function being(expected: string, isValid: (value: unknown) => boolean): FieldCheck {
  return (field, value) => expect(isValid(value), field, expected, value);
}

function oneOf(...values: readonly unknown[]): FieldCheck {
  return being(`one of ${values.join(', ')}`, (value) => values.includes(value));
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function checkError(field: string, value: unknown): void {
  expect(typeof value === 'object' && value !== null, field, 'an object with a message', value);
  const { message, code, status } = value as Readonly<Record<string, unknown>>;
  expect(isText(message), `${field}.message`, 'text', message);
  expect(code === undefined || isText(code), `${field}.code`, 'text', code);
  const isStatus = status === undefined || isErrorStatus(status);
  expect(isStatus, `${field}.status`, 'a whole number from 400 to 599', status);
}
