import { APIConnectionError, APIError } from 'openai';
import type { ModelCall } from './model-call.ts';

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8_000;

/**
 * Tries until it succeeds, `maxRetries` are used up, or the call is over.
 *
 * If a server asks for a longer wait than the call may take, its error is thrown at once.
 */
export async function withRetries<T>(
  call: ModelCall,
  maxRetries: number,
  attempt: () => Promise<T>,
): Promise<T> {
  for (let retries = 0; ; retries++) {
    try {
      return await call.race(attempt());
    } catch (error) {
      if (retries >= maxRetries || call.signal.aborted || !isPassing(error)) throw error;
      const waitMs = askedWaitMs(error) ?? backOffMs(retries);
      if (waitMs >= call.remainingMs) throw error;
      await call.wait(waitMs);
    }
  }
}

function isPassing(error: unknown): error is APIError {
  if (error instanceof APIConnectionError) return true;
  if (!(error instanceof APIError)) return false;
  const asked = error.headers?.get('x-should-retry');
  if (asked === 'true' || asked === 'false') return asked === 'true';
  const { status = 0 } = error;
  return status === 408 || status === 409 || status === 429 || status >= 500;
}

/** The wait that the server asks for, as a number or a date. */
function askedWaitMs({ headers }: APIError): number | undefined {
  const inMs = Number.parseFloat(headers?.get('retry-after-ms') ?? '');
  const after = headers?.get('retry-after') ?? '';
  const inSeconds = Number.parseFloat(after) * 1_000;
  const until = Date.parse(after) - Date.now();
  return [inMs, inSeconds, until].find((ms) => ms >= 0);
}

/** Doubles with each retry; a random part keeps many clients from retrying at once. */
function backOffMs(retries: number): number {
  const ms = Math.min(FIRST_WAIT_MS * 2 ** retries, LONGEST_WAIT_MS);
  return ms * (1 - Math.random() / 4);
}
