/** Codes of the errors a code executor throws; what a program does is a result, never an error. */
export type CodeExecutorErrorCode = 'INVALID_OPTION' | 'CLOSED';

/** A code executor was given an option it cannot have, or is used after it was closed. */
export class CodeExecutorError extends Error {
  override readonly name = 'CodeExecutorError';
  readonly code: CodeExecutorErrorCode;

  constructor(code: CodeExecutorErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
