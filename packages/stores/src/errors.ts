/** Codes of the errors of this package. */
export type StoresErrorCode =
  | 'UNSUPPORTED_NODE'
  | 'CORRUPT_FILE'
  | 'LOCKED_FILE'
  | 'UNREACHABLE_SERVER';

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
