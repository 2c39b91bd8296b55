import type { Breaker } from '@teamfuse/core';
import { formatOf } from './formats/index.ts';
import { checkBreaker, checkOptions } from './guard/check-options.ts';
import type { GuardFetchOptions } from './guard/guard-fetch-options.ts';
import { AGENT_HEADER, CONVERSATION_HEADER, TrafficGuard } from './guard/traffic-guard.ts';

type Fetch = typeof fetch;

/**
 * A `fetch` that guards the requests of an SDK to its models: OpenAI Chat Completions and Responses, and Anthropic Messages, whole
 * and streamed. It reads what a conversation says and does from the histories that are sent, and refuses the next call once the
 * breaker has stopped it. All other requests pass untouched.
 *
 * @throws {@link InvalidOptionError} naming the option, the expected and the received value.
 * @example
 * ```ts
 * const client = new OpenAI({ fetch: guardFetch(breaker) });
 * ```
 */
export function guardFetch(breaker: Breaker, options: GuardFetchOptions = {}): Fetch {
  checkBreaker(breaker);
  const checked = checkOptions(options);
  const guard = new TrafficGuard(breaker, checked);
  const send = checked.fetch;
  return async (input, init) => {
    const isRequest = input instanceof Request;
    const url = isRequest ? input.url : String(input);
    const method = init?.method ?? (isRequest ? input.method : 'GET');
    if (method.toUpperCase() !== 'POST' || formatOf(url) === undefined) return send(input, init);
    const headers = new Headers(init?.headers ?? (isRequest ? input.headers : undefined));
    const given = init?.body ?? (isRequest ? input.clone().body : undefined);
    const signal = init?.signal ?? (isRequest ? input.signal : undefined);
    // A stream can be read once only: what it held is sent instead.
    const isOnce = init?.body instanceof ReadableStream;
    const bytes = typeof given === 'string' ? given : await new Response(given).arrayBuffer();
    const text = typeof bytes === 'string' ? bytes : new TextDecoder().decode(bytes);
    return guard.handle({ url, headers, text, signal }, (other) => {
      headers.delete(AGENT_HEADER);
      headers.delete(CONVERSATION_HEADER);
      if (other !== undefined) headers.delete('content-length');
      const body = other ?? (isOnce ? bytes : init?.body);
      return send(input, { ...init, headers, ...(body !== undefined && { body }) });
    });
  };
}
