import { untilAborted } from '@teamfuse/core/kit';
import type { CheckedOptions } from './notify-options.ts';
import { retryAfterMs } from './retry-after.ts';
import { signatureOf } from './signature.ts';

/** What became of one attempt. */
export type Outcome =
  | { readonly state: 'delivered' }
  | { readonly state: 'refused'; readonly problem: string; readonly status: number }
  | {
      readonly state: 'failed';
      readonly problem: string;
      readonly status?: number;
      /** What the server asks to wait before the next attempt. */
      readonly waitMs: number;
    };

/** What is sent. All attempts have the same id, by which receivers know a message that they have already. */
export interface Message {
  readonly id: string;
  readonly body: string;
}

/** Answers of the 400s that say nothing of the message itself: too late, in conflict, too early, too many. */
const PASSING: readonly number[] = [408, 409, 425, 429];
/** A code such as `ECONNREFUSED`. Messages of errors may hold the address. */
const CODE = /^[A-Z][A-Z\d_]{1,39}$/;

/** Sends a message once. */
export class Delivery {
  readonly #options: CheckedOptions;

  constructor(options: CheckedOptions) {
    this.#options = options;
  }

  async attempt(message: Message): Promise<Outcome> {
    const { timers, timeoutMs } = this.#options;
    const late = new AbortController();
    const timer = timers.set(() => late.abort(), timeoutMs);
    try {
      // A `fetch` of the user's own may not heed the signal.
      return this.#outcomeOf(await untilAborted(this.#post(message, late.signal), late.signal));
    } catch (error) {
      const problem = late.signal.aborted ? `no answer within ${timeoutMs} ms` : problemOf(error);
      return { state: 'failed', problem, waitMs: 0 };
    } finally {
      timers.clear(timer);
    }
  }

  async #post({ id, body }: Message, signal: AbortSignal): Promise<Response> {
    const { url, key, now, fetch } = this.#options;
    const at = `${Math.floor(now() / 1_000)}`;
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': at,
      ...(key && { 'webhook-signature': await signatureOf(key, { id, at, body }) }),
    };
    return fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' });
  }

  #outcomeOf(response: Response): Outcome {
    const { ok, status, type, headers, body } = response;
    // Nobody reads it, and it would hold the connection.
    body?.cancel().catch(() => {});
    if (ok) return { state: 'delivered' };
    if (type === 'opaqueredirect' || (status >= 300 && status < 400)) {
      return { state: 'refused', problem: 'the server redirects, which is not followed', status };
    }
    const problem = `the server answered with status ${status}`;
    if (status < 500 && !PASSING.includes(status)) return { state: 'refused', problem, status };
    const waitMs = retryAfterMs(headers.get('retry-after'), this.#options.now());
    return { state: 'failed', problem, status, waitMs };
  }
}

/** What is known of a failure, without anything that could hold the address. */
function problemOf(error: unknown): string {
  const { code, cause } = Object(error) as { readonly code?: unknown; readonly cause?: unknown };
  const known = [code, Object(cause).code].find((one) => typeof one === 'string' && CODE.test(one));
  return known === undefined ? 'the request failed' : `the request failed (${known})`;
}
