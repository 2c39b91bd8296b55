/**
 * Codes of the errors a code executor throws; what a program does is a result, never an error.
 *
 * `ISOLATION_UNAVAILABLE` and `DOCKER_UNAVAILABLE` mean that nothing has run.
 */
export type CodeExecutorErrorCode =
  | 'INVALID_OPTION'
  | 'CLOSED'
  | 'ISOLATION_UNAVAILABLE'
  | 'DOCKER_UNAVAILABLE';

/** A code executor has a wrong option, cannot run code as configured, or is closed. */
export class CodeExecutorError extends Error {
  override readonly name = 'CodeExecutorError';
  readonly code: CodeExecutorErrorCode;

  constructor(code: CodeExecutorErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
