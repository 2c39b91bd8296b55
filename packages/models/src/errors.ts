/**
 * Why a model call failed.
 *
 * `BAD_RESPONSE` means that an answer came and made no sense; `UNSUPPORTED` that the model cannot do what was asked, so nothing was sent.
 */
export type ModelClientErrorCode =
  | 'INVALID_OPTION'
  | 'UNSUPPORTED'
  | 'CANCELLED'
  | 'CLOSED'
  | 'TIMEOUT'
  | 'CONNECTION'
  | 'AUTHENTICATION'
  | 'RATE_LIMITED'
  | 'BAD_REQUEST'
  | 'SERVER'
  | 'BAD_RESPONSE'
  | 'REPLAY_EXHAUSTED';

/** Options of {@link ModelClientError}. */
export interface ModelClientErrorOptions extends ErrorOptions {
  readonly status?: number | undefined;
}

/** A model call that gave no result; narrow on `code`. */
export class ModelClientError extends Error {
  override readonly name = 'ModelClientError';
  readonly code: ModelClientErrorCode;
  /** The HTTP status, where there was one. */
  readonly status: number | undefined;

  constructor(
    code: ModelClientErrorCode,
    message: string,
    { status, ...options }: ModelClientErrorOptions = {},
  ) {
    super(message, options);
    this.code = code;
    this.status = status;
  }
}

/** Throws `CLOSED` when the client is closed. */
export function throwIfClosed(isClosed: boolean): void {
  if (isClosed) throw new ModelClientError('CLOSED', 'the model client is closed');
}

/** Throws `CANCELLED` when `signal` is aborted, and `INVALID_OPTION` for anything but a signal. */
export function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal && typeof signal.addEventListener !== 'function') {
    const problem = `option 'signal': expected an AbortSignal, received ${String(signal)}`;
    throw new ModelClientError('INVALID_OPTION', problem);
  }
  if (signal?.aborted) {
    throw new ModelClientError('CANCELLED', 'the model call was cancelled', {
      cause: signal.reason,
    });
  }
}
