import { InvalidSignalError } from '../errors.ts';
import { isAmount, isCount } from '../json.ts';
import { checkJson } from '../to-json.ts';

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
  | 'decision';

/** Throws {@link InvalidSignalError} naming `field` unless `value` is valid there. */
export type FieldCheck = (field: string, value: unknown) => void;

const ROLES: readonly unknown[] = ['user', 'assistant', 'system'];
const DECISIONS: readonly unknown[] = ['approve', 'reject', 'timeout'];
const ONE_OF_ROLES = `one of ${ROLES.join(', ')}`;
const ONE_OF_DECISIONS = `one of ${DECISIONS.join(', ')}`;

/** @internal */
export const FIELD_CHECKS: Readonly<Record<FieldType, FieldCheck>> = {
  text: checkText,
  label: checkText,
  name: (field, value) =>
    expect(typeof value === 'string' && value !== '', field, 'non-empty text', value),
  boolean: (field, value) => expect(typeof value === 'boolean', field, 'true or false', value),
  count: (field, value) => expect(isCount(value), field, 'a whole number of at least 0', value),
  number: (field, value) => expect(isAmount(value), field, 'a finite number of at least 0', value),
  money: (field, value) =>
    expect(value === null || isAmount(value), field, 'US dollars of at least 0, or null', value),
  'exit-code': (field, value) =>
    expect(value === null || Number.isSafeInteger(value), field, 'a whole number, or null', value),
  json: checkJson,
  names: (field, value) => expect(isNames(value), field, 'an array of text', value),
  error: checkError,
  role: (field, value) => expect(ROLES.includes(value), field, ONE_OF_ROLES, value),
  decision: (field, value) => expect(DECISIONS.includes(value), field, ONE_OF_DECISIONS, value),
};

/** Throws {@link InvalidSignalError} unless `isMet`. @internal */
export function expect(isMet: boolean, field: string, expected: string, received: unknown): void {
  if (!isMet) throw new InvalidSignalError(field, expected, received);
}

function checkText(field: string, value: unknown): void {
  expect(typeof value === 'string', field, 'text', value);
}

function checkError(field: string, value: unknown): void {
  expect(typeof value === 'object' && value !== null, field, 'an object with a message', value);
  const { message, code } = value as { message?: unknown; code?: unknown };
  expect(typeof message === 'string', `${field}.message`, 'text', message);
  expect(code === undefined || typeof code === 'string', `${field}.code`, 'text', code);
}

function isNames(value: unknown): boolean {
  return Array.isArray(value) && value.every((name) => typeof name === 'string');
}
