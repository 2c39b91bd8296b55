import type { SignalError } from '@teamfuse/core';

/** An error as signals report it: its message, and its code or name. */
export function signalError(error: unknown): SignalError {
  if (!(error instanceof Error)) return { message: String(error) };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  return { message: error.message, code };
}
