import type { SignalError } from '@teamfuse/core';

/** An error as signals report it: its message, and its code or name. */
export function signalError(error: unknown): SignalError {
  try {
    if (!(error instanceof Error)) return { message: String(error) };
    const { message, name } = error;
    const code = 'code' in error && typeof error.code === 'string' ? error.code : name;
    return { message: String(message), code: String(code) };
  } catch {
    return { message: 'an error that cannot be read' };
  }
}
