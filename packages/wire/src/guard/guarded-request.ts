import { formatOf } from '../formats/index.ts';
import {
  AGENT_HEADER,
  CONVERSATION_HEADER,
  type Traffic,
  type TrafficGuard,
} from './traffic-guard.ts';

type FetchArguments = Parameters<typeof fetch>;

/** Sends a request as `fetch` takes it, past a guard. Only requests to models are looked at. */
export async function guardedRequest(
  guard: TrafficGuard,
  send: typeof fetch,
  [input, init]: FetchArguments,
  about: Pick<Traffic, 'scope' | 'joined'> = {},
): Promise<Response> {
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
  return guard.handle({ url, headers, text, signal, ...about }, (other) => {
    headers.delete(AGENT_HEADER);
    headers.delete(CONVERSATION_HEADER);
    if (other !== undefined) headers.delete('content-length');
    const body = other ?? (isOnce ? bytes : init?.body);
    return send(input, { ...init, headers, ...(body !== undefined && { body }) });
  });
}
