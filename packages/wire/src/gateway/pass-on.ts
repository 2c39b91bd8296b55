import { isToModel } from '../guard/index.ts';
import { isKeyHeader } from './caller-key.ts';

/** Headers that belong to one connection. */
const OF_CONNECTION = [
  ...['connection', 'keep-alive', 'proxy-connection', 'proxy-authenticate', 'proxy-authorization'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade', 'expect', 'host', 'content-length'],
];
const NAMES = /[\w-]+/g;
const OWN = 'x-teamfuse-';

/** A version at the end of an address, with which a path may begin, too. */
const VERSION = /\/v\d\w*$/;

/** Where a path goes on to. A version that stands in both counts once. */
export function addressAt(upstream: string, path: string): string {
  const [version = ''] = VERSION.exec(upstream) ?? [];
  const isTwice = version !== '' && path.startsWith(`${version}/`);
  return upstream + (isTwice ? path.slice(version.length) : path);
}

/** A request as it goes on. */
export async function outgoing(
  request: Request,
  url: string,
  maxBytes: number,
): Promise<Parameters<typeof fetch>> {
  const { method, signal } = request;
  const headers = passedOn(request.headers);
  // `fetch` unpacks answers.
  headers.delete('accept-encoding');
  headers.delete('x-teamfuse-token');
  const body = await bodyOf(request, url, maxBytes);
  const init = { method, headers, signal, redirect: 'manual' } as const;
  return [url, body === null ? init : ({ ...init, body, duplex: 'half' } as RequestInit)];
}

/** A body to be read, at once where it is known to be short: servers are faster with those. */
async function bodyOf(
  request: Request,
  url: string,
  maxBytes: number,
): Promise<RequestInit['body']> {
  const length = request.headers.get('content-length');
  const isShort = length !== null && Number(length) <= maxBytes;
  return isShort && isToModel(request.method, url) ? request.arrayBuffer() : request.body;
}

/** A `fetch` whose requests and answers carry no headers of the gateway, and no others of a connection. */
export function upstreamFetch(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await send(input, {
      ...init,
      headers: withoutOwn(new Headers(init?.headers)),
    });
    const headers = withoutOwn(passedOn(response.headers));
    headers.delete('content-encoding');
    const { body, status, statusText } = response;
    return new Response(body, { status, statusText, headers });
  };
}

/** Headers without those of a connection, which it may name itself. */
function passedOn(given: Headers): Headers {
  const headers = new Headers(given);
  const named = (given.get('connection') ?? '').toLowerCase().match(NAMES) ?? [];
  for (const name of [...OF_CONNECTION, ...named]) if (!isKept(name)) headers.delete(name);
  return headers;
}

/** Who pays and who asks may have been said by a proxy in between: no caller takes that back. */
function isKept(name: string): boolean {
  return name.startsWith(OWN) || isKeyHeader(name);
}

/** What is said with these headers is said by the gateway alone. */
function withoutOwn(headers: Headers): Headers {
  for (const name of [...headers.keys()]) if (name.startsWith(OWN)) headers.delete(name);
  return headers;
}

/** An address that an answer leads on to: of the upstream's own, those of the gateway, which guards them, too. */
export function leadBack(headers: Headers, upstream: string, prefix: string): void {
  const location = headers.get('location');
  if (!location?.startsWith(`${upstream}/`)) return;
  headers.set('location', prefix + location.slice(upstream.length));
}
