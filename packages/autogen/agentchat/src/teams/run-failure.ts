import { CancelledError, RuntimeError } from '../base/errors.ts';

/**
 * Makes the error the caller of a run gets for a failure after its start.
 *
 * The message begins with the name and text of the original error, as upstream; the error itself is the `cause`.
 */
export function runFailure(error: unknown, signal: AbortSignal | undefined): Error {
  if (error instanceof CancelledError) return error;
  if (signal?.aborted === true) return new CancelledError({ cause: error });
  const text = error instanceof Error ? error.message : String(error);
  return new RuntimeError(`${errorName(error)}: ${text}`, { cause: error });
}

/** @throws {@link CancelledError} once the signal is aborted. */
export function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new CancelledError({ cause: signal.reason });
}

function errorName(error: unknown): string {
  if (!(error instanceof Error)) return 'Error';
  return error.name === 'Error' ? error.constructor.name : error.name;
}
