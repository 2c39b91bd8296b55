import { withoutSecrets } from '../secrets/without-secrets.ts';
import { cleanText } from './excerpt.ts';
import { isArray } from './json.ts';
import { counted } from './words.ts';

/** Codes of the errors that core throws. Unlike classes, they also match across two copies of the package. */
export type BreakerErrorCode =
  | 'INVALID_OPTION'
  | 'INVALID_POLICY'
  | 'INVALID_SIGNAL'
  | 'INVALID_SNAPSHOT'
  | 'GUARD_INSTALL'
  | 'BUDGET_STORE'
  | 'HISTORY_STORE'
  | 'JUDGE'
  | 'REPEATED_FAILURE'
  | 'TRIPPED';

/** Base of all errors thrown by Teamfuse. */
export class BreakerError extends Error {
  override readonly name: string = 'BreakerError';
  readonly code: BreakerErrorCode;

  constructor(code: BreakerErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** An option has an invalid value. */
export class InvalidOptionError extends BreakerError {
  override readonly name = 'InvalidOptionError';
  readonly option: string;
  readonly expected: string;
  /** The value as shown in the message. */
  readonly received: string;

  /** `sentence` replaces the message, for values that are invalid only in combination. */
  constructor(option: string, expected: string, received: unknown, sentence?: string) {
    const shown = show(received);
    const message = `option '${place(option)}': expected ${expected}, received ${shown}`;
    super('INVALID_OPTION', sentence ?? message);
    this.option = option;
    this.expected = expected;
    this.received = shown;
  }
}

/** A signal is malformed: `field` is the invalid field. */
export class InvalidSignalError extends BreakerError {
  override readonly name = 'InvalidSignalError';
  readonly field: string;

  constructor(field: string, expected: string, received: unknown) {
    const shown = field === 'kind' ? show(received) : unquoted(received);
    super('INVALID_SIGNAL', `${part('signal', field)}: expected ${expected}, received ${shown}`);
    this.field = field;
  }
}

/** A snapshot cannot be restored. */
export class InvalidSnapshotError extends BreakerError {
  override readonly name = 'InvalidSnapshotError';
  readonly field: string;

  constructor(field: string, expected: string, received: unknown) {
    const problem = `expected ${expected}, received ${show(received)}`;
    super('INVALID_SNAPSHOT', `${part('snapshot', field)}: ${problem}`);
    this.field = field;
  }
}

/** A guard could not be installed: `target` lacks a method that it taps. */
export class GuardInstallError extends BreakerError {
  override readonly name = 'GuardInstallError';
  readonly target: string;
  readonly missing: string;

  /** `sentence` replaces what was expected where that does not show what is wrong. */
  constructor(
    target: string,
    missing: string,
    {
      sentence = `expected ${missing}`,
      ...options
    }: ErrorOptions & { readonly sentence?: string } = {},
  ) {
    super('GUARD_INSTALL', `cannot guard ${place(target)}: ${sentence}`, options);
    this.target = target;
    this.missing = missing;
  }
}

const SHOWN_LENGTH = 80;
/** More than is shown, since a cut-off secret would not be recognized. */
const READ_LENGTH = 1000;
const PLACE_LENGTH = 160;

/** A value as shown in an error: short, and without its contents. */
export function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'number' || typeof value === 'boolean' || value === null)
    return String(value);
  return isArray(value) ? `an array of ${value.length}` : `a value of type ${typeof value}`;
}

/** Like {@link show}, but never quotes texts, since those in signals come from the team. */
function unquoted(value: unknown): string {
  return typeof value === 'string'
    ? `a text of ${counted(value.length, 'character')}`
    : show(value);
}

function quote(text: string): string {
  const shown = JSON.stringify(withoutSecrets(text.slice(0, READ_LENGTH)).slice(0, SHOWN_LENGTH));
  return text.length <= SHOWN_LENGTH ? shown : `${shown}…`;
}

function part(whole: string, field: string): string {
  return field === '' ? whole : `${whole}.${place(field)}`;
}

/** The path of a field, without secrets: it may contain names that users chose. */
function place(path: string): string {
  return cleanText(withoutSecrets(path.slice(0, READ_LENGTH)), PLACE_LENGTH);
}
