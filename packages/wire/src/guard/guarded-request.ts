import { formatOf } from '../formats/index.ts';
import { NAMING_HEADERS } from './caller.ts';
import { readBody, textIn } from './request-body.ts';
import type { Traffic, TrafficGuard } from './traffic-guard.ts';

type FetchArguments = Parameters<typeof fetch>;

/** What headers say of a body that is not sent as it came. */
const OF_BODY: readonly string[] = ['content-length', 'content-encoding'];

/** Whether a request is one to a model. No others are looked at. */
export function isToModel(method: string, url: string): boolean {
  return method.toUpperCase() === 'POST' && formatOf(url) !== undefined;
}

/** Sends a request as `fetch` takes it, past a guard. */
export async function guardedRequest(
  guard: TrafficGuard,
  send: typeof fetch,
  [input, init]: FetchArguments,
  about: Pick<
    Traffic,
    'scope' | 'key' | 'team' | 'isSentOn' | 'onConversation' | 'onMistake' | 'reportWithin'
  > = {},
): Promise<Response> {
  const isRequest = input instanceof Request;
  const url = isRequest ? input.url : String(input);
  const method = init?.method ?? (isRequest ? input.method : 'GET');
  if (!isToModel(method, url)) {
    return guard.unread(method, url, about.onMistake) ?? send(input, init);
  }
  const headers = new Headers(init?.headers ?? (isRequest ? input.headers : undefined));
  const copy = init?.body === undefined && isRequest ? input.clone().body : undefined;
  const signal = init?.signal ?? (isRequest ? input.signal : undefined);
  const read = await readBody(init?.body ?? copy, guard.bounds.maxBytes);
  // Of a copy that is too long nothing more is needed. The request itself tells its sender what is wrong with it.
  if (copy && read instanceof ReadableStream) read.cancel().catch(() => {});
  const text = (): Promise<string> => textIn(read, headers.get('content-encoding'), guard.bounds);
  // A stream can be read once only: what it held is sent instead.
  const isOnce = init?.body instanceof ReadableStream;
  let isSent = false;
  const answer = await guard.handle({ url, headers, text, signal, ...about }, (other) => {
    isSent = true;
    const named = new Headers(headers);
    const unsent = other === undefined ? NAMING_HEADERS : [...NAMING_HEADERS, ...OF_BODY];
    for (const name of unsent) named.delete(name);
    const body = other ?? (isOnce ? read : init?.body);
    return send(input, { ...init, headers: named, ...(body !== undefined && { body }) });
  });
  // Nobody reads the rest of what is not sent.
  if (isOnce && !isSent && read instanceof ReadableStream) read.cancel().catch(() => {});
  return answer;
}
