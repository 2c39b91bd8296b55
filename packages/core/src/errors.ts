import type { BudgetStore } from './budget/store/budget-store.ts';
import { cleanText } from './excerpt.ts';
import type { HistoryStore } from './history/history-store.ts';
import type { RunFailure } from './history/run-record.ts';
import { withoutSecrets } from './redact/secrets.ts';
import type { Trip } from './trip.ts';

/** Codes of the errors core throws; narrow on them, so that two copies of the package understand each other. */
export type BreakerErrorCode =
  | 'INVALID_OPTION'
  | 'INVALID_POLICY'
  | 'INVALID_SIGNAL'
  | 'INVALID_SNAPSHOT'
  | 'GUARD_INSTALL'
  | 'BUDGET_STORE'
  | 'HISTORY_STORE'
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

/** An option has a value it cannot have. */
export class InvalidOptionError extends BreakerError {
  override readonly name = 'InvalidOptionError';
  readonly option: string;
  readonly expected: string;
  /** The value, as the message shows it. */
  readonly received: string;

  constructor(option: string, expected: string, received: unknown) {
    const shown = show(received);
    const named = place(option);
    super('INVALID_OPTION', `option '${named}': expected ${expected}, received ${shown}`);
    this.option = option;
    this.expected = expected;
    this.received = shown;
  }
}

/** A signal is malformed: `field` names what is wrong with it. */
export class InvalidSignalError extends BreakerError {
  override readonly name = 'InvalidSignalError';
  readonly field: string;

  constructor(field: string, expected: string, received: unknown) {
    super(
      'INVALID_SIGNAL',
      `${part('signal', field)}: expected ${expected}, received ${field === 'kind' ? show(received) : unquoted(received)}`,
    );
    this.field = field;
  }
}

/** A snapshot cannot be restored here. */
export class InvalidSnapshotError extends BreakerError {
  override readonly name = 'InvalidSnapshotError';
  readonly field: string;

  constructor(field: string, expected: string, received: unknown) {
    super(
      'INVALID_SNAPSHOT',
      `${part('snapshot', field)}: expected ${expected}, received ${show(received)}`,
    );
    this.field = field;
  }
}

/** A guard could not be installed: `target` lacks what it would tap. */
export class GuardInstallError extends BreakerError {
  override readonly name = 'GuardInstallError';
  readonly target: string;
  readonly missing: string;

  constructor(target: string, missing: string, options?: ErrorOptions) {
    super('GUARD_INSTALL', `cannot guard ${place(target)}: expected ${missing}`, options);
    this.target = target;
    this.missing = missing;
  }
}

/** A budget store did not answer as it should; the call it was asked about is not made. */
export class BudgetStoreError extends BreakerError {
  override readonly name = 'BudgetStoreError';
  /** What the store was asked for. */
  readonly member: keyof BudgetStore;

  constructor(member: keyof BudgetStore, problem: string, options?: ErrorOptions) {
    super('BUDGET_STORE', `budget store: ${member} ${problem}`, options);
    this.member = member;
  }
}

/** A history store did not answer as it should. */
export class HistoryStoreError extends BreakerError {
  override readonly name = 'HistoryStoreError';
  /** What the store was asked for. */
  readonly member: keyof HistoryStore;

  constructor(member: keyof HistoryStore, problem: string, options?: ErrorOptions) {
    super('HISTORY_STORE', `history store: ${member} ${problem}`, options);
    this.member = member;
  }
}

/** What is known of a task that keeps failing. Times are in milliseconds. */
export interface RepeatedFailure {
  readonly task: string;
  readonly failure: RunFailure;
  /** How many runs in a row ended in it, as far as is remembered. */
  readonly times: number;
  /** When the first of them ended. */
  readonly since: number;
  /** When the latest of them ended. */
  readonly last: number;
}

/** The latest runs of a task all ended in the same failure, and it was not begun again. */
export class RepeatedFailureError extends BreakerError implements RepeatedFailure {
  override readonly name = 'RepeatedFailureError';
  readonly task: string;
  readonly failure: RunFailure;
  readonly times: number;
  readonly since: number;
  readonly last: number;

  constructor({ task, failure, times, since, last }: RepeatedFailure) {
    const [from, to] = [since, last].map((at) => new Date(at).toISOString());
    super(
      'REPEATED_FAILURE',
      `task ${quote(task)} is not begun: its last ${times} runs ended in the same failure, ${failure.kind}: ${failure.reason} (first ${from}, last ${to}). Once the cause is gone, forget them with store.clear(task)`,
    );
    this.task = task;
    this.failure = failure;
    this.times = times;
    this.since = since;
    this.last = last;
  }
}

/** The breaker is open and the call was not made. */
export class TrippedError extends BreakerError {
  override readonly name: string = 'TrippedError';
  readonly trip: Trip;

  constructor(trip: Trip, options?: ErrorOptions) {
    super('TRIPPED', trip.reason, options);
    this.trip = trip;
  }
}

/** The call would complete a loop and was not made. */
export class LoopDetectedError extends TrippedError {
  override readonly name = 'LoopDetectedError';
}

/** The call exceeds the budget and was not made, or its cost did. */
export class BudgetExceededError extends TrippedError {
  override readonly name = 'BudgetExceededError';
}

/** The call does not fit the context window and was not made. */
export class ContextWindowExceededError extends TrippedError {
  override readonly name = 'ContextWindowExceededError';
}

/** Whether `error` says that a breaker refused a call; works across copies of the package. */
export function isTripped(error: unknown): error is TrippedError {
  if (typeof error !== 'object' || error === null) return false;
  try {
    return 'code' in error && error.code === 'TRIPPED' && 'trip' in error;
  } catch {
    return false;
  }
}

const SHOWN_LENGTH = 80;
/** A secret must not stay because its end was cut off. */
const READ_LENGTH = 1000;
const PLACE_LENGTH = 160;

/** A value as an error shows it: short, and without what it holds. @internal */
export function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'number' || typeof value === 'boolean' || value === null)
    return String(value);
  return isArray(value) ? `an array of ${value.length}` : `a value of type ${typeof value}`;
}

/** The same without quoting a text: what is in a signal was said by the team. */
function unquoted(value: unknown): string {
  return typeof value === 'string' ? `a text of ${value.length} characters` : show(value);
}

/** `Array.isArray` for every value: a revoked proxy makes that throw. @internal */
export function isArray(value: unknown): value is readonly unknown[] {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
}

function quote(text: string): string {
  const shown = JSON.stringify(withoutSecrets(text.slice(0, READ_LENGTH)).slice(0, SHOWN_LENGTH));
  return text.length <= SHOWN_LENGTH ? shown : `${shown}…`;
}

function part(whole: string, field: string): string {
  return field === '' ? whole : `${whole}.${place(field)}`;
}

/** Where something is wrong; the path to it may hold names that others chose. */
function place(path: string): string {
  return cleanText(withoutSecrets(path.slice(0, READ_LENGTH)), PLACE_LENGTH);
}
