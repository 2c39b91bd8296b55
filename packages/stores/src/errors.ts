import { formatUsd } from '@teamfuse/core/sharing';

/** Codes of the errors of this package. */
export type StoresErrorCode =
  | 'UNSUPPORTED_NODE'
  | 'CORRUPT_FILE'
  | 'LOCKED_FILE'
  | 'UNREACHABLE_SERVER'
  | 'UNWRITTEN_JOURNAL'
  | 'LOST_BOOKS'
  | 'DIFFERENT_OPTIONS';

/** Base of the errors of this package; narrow on `code`. */
export class StoresError extends Error {
  override readonly name: string = 'StoresError';
  readonly code: StoresErrorCode;

  constructor(code: StoresErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** This version of Node has no SQLite. */
export class UnsupportedNodeError extends StoresError {
  override readonly name = 'UnsupportedNodeError';
  /** The versions that have it. */
  readonly needed = '22.13 or later (from 22.5 with --experimental-sqlite)';

  constructor() {
    super(
      'UNSUPPORTED_NODE',
      `SQLite stores need Node 22.13 or later (from 22.5 with --experimental-sqlite), and this is ${process.version}`,
    );
  }
}

/** A file does not hold what was written to it. It was moved aside, as it was. */
export class CorruptFileError extends StoresError {
  override readonly name = 'CorruptFileError';
  readonly file: string;
  /** Where it is now. */
  readonly keptAs: string;

  constructor(file: string, keptAs: string, problem: string, options?: ErrorOptions) {
    super(
      'CORRUPT_FILE',
      `${file} cannot be read (${problem}); it was moved to ${keptAs}`,
      options,
    );
    this.file = file;
    this.keptAs = keptAs;
  }
}

/** Another process has kept a file locked for too long. */
export class LockedFileError extends StoresError {
  override readonly name = 'LockedFileError';
  readonly file: string;

  /** `locks` are the files to delete after a process that has died. */
  constructor(file: string, locks: readonly string[], waitedMs: number) {
    const cause =
      locks.length === 0
        ? ' by another process'
        : `; if no process uses it, delete ${locks.join(' and ')}`;
    super('LOCKED_FILE', `${file} was locked for ${waitedMs} ms${cause}`);
    this.file = file;
  }
}

/** The server that keeps the books did not answer, or with an error, which is the `cause`. */
export class UnreachableServerError extends StoresError {
  override readonly name = 'UnreachableServerError';

  constructor(cause: unknown) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    super('UNREACHABLE_SERVER', `the server cannot be asked: ${problem}`, { cause });
  }
}

/** Settlements cannot be kept in `journalFile`, for the `cause`, such as a full disk. They wait in memory and are sent from there. */
export class UnwrittenJournalError extends StoresError {
  override readonly name = 'UnwrittenJournalError';
  readonly file: string;

  constructor(file: string, cause: unknown) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    const message = `${file} cannot be written (${problem}): settlements are kept in memory only, until it can be`;
    super('UNWRITTEN_JOURNAL', message, { cause });
    this.file = file;
  }
}

/**
 * A server has lost the books of a budget, by eviction, a restart without persistence, or a command. What this process knew of them is
 * booked again; what others spent since its last answer may be missing.
 */
export class LostBooksError extends StoresError {
  override readonly name = 'LostBooksError';
  readonly budget: string;

  constructor(budget: string, nanoUsd: number) {
    super(
      'LOST_BOOKS',
      `the server has lost the books of the budget '${budget}'; the ${formatUsd(nanoUsd)} that this process knows to be spent are booked again`,
    );
    this.budget = budget;
  }
}

/** An option that processes have to have in common, and have not. */
export interface DifferentOption {
  readonly name: string;
  /** Its value in this process, and in the one before it. */
  readonly own: string;
  readonly before: string;
}

/** A process shares a budget or circuits with others that began before it with other options. All need the same. */
export class DifferentOptionsError extends StoresError {
  override readonly name = 'DifferentOptionsError';
  readonly options: readonly DifferentOption[];

  /** `what` is what they share. */
  constructor(what: string, options: readonly DifferentOption[]) {
    const of = (whose: 'own' | 'before'): string =>
      options.map((one) => `${one.name}: ${one[whose]}`).join(', ');
    super(
      'DIFFERENT_OPTIONS',
      `this process uses ${what} with ${of('own')}, and the process before it with ${of('before')}; all processes need the same options`,
    );
    this.options = options;
  }
}
