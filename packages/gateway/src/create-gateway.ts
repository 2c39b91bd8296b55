import type { Breaker, Conversation } from '@teamfuse/core';
import { checkBreaker, checkOptions, guardedRequest, TrafficGuard } from '@teamfuse/wire/guard';
import { Hono } from 'hono';
import { strangerness } from './admit-caller.ts';
import { checkGatewayOptions, type Gateway, type GatewayOptions } from './gateway-options.ts';
import { Scopes } from './scope.ts';

/** Headers that belong to a connection, or to bytes that `fetch` has unpacked. */
const OF_CONNECTION = [
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'te', 'trailer'],
  ...['transfer-encoding', 'upgrade', 'expect', 'host', 'content-length'],
];
const OF_ENCODING = ['content-encoding', 'accept-encoding'];
const NANO_USD_PER_USD = 1e9;

/**
 * A gateway: programs send it what they would send to `upstream`, and get what that answers, until their breaker refuses. It is
 * a handler of fetch requests, for any server that takes one.
 *
 * @throws {@link InvalidOptionError} naming the option, the expected and the received value.
 */
export function createGateway(options: GatewayOptions): Gateway {
  const { upstream, token, breakerOf, breaker: _, ...rest } = checkGatewayOptions(options);
  const checked = checkOptions(rest);
  if (typeof options.breaker !== 'function') checkBreaker(options.breaker);
  const guards = new WeakMap<Breaker, TrafficGuard>();
  const suspicions = new WeakMap<Conversation, number>();
  const scopes = new Scopes();

  const guardOf = (breaker: Breaker): TrafficGuard => {
    const known = guards.get(breaker);
    if (known !== undefined) return known;
    breaker.on('signal', ({ conversation, suspicion }) => {
      suspicions.set(breaker.conversation(conversation), suspicion);
    });
    const guard = new TrafficGuard(breaker, checked);
    guards.set(breaker, guard);
    return guard;
  };

  const pass = async (request: Request, path: string, team?: string): Promise<Response> => {
    const scope = await scopes.of(request.headers);
    let conversation: Conversation | undefined;
    const joined = (one: Conversation): void => {
      conversation = one;
    };
    const sent = outgoing(request, `${upstream}${path}`);
    const guard = guardOf(breakerOf(team));
    const response = await guardedRequest(guard, checked.fetch, sent, { scope, joined });
    return answerOf(response, conversation && headersOf(conversation));
  };

  const headersOf = (conversation: Conversation): Readonly<Record<string, string>> => ({
    'x-teamfuse-conversation': encodeURIComponent(conversation.id),
    'x-teamfuse-spent': `${conversation.cost.nanoUsd / NANO_USD_PER_USD}`,
    'x-teamfuse-suspicion': (suspicions.get(conversation) ?? 0).toFixed(1),
  });

  const app = new Hono();
  app.use(async ({ req }, next) => {
    const reason = strangerness(req.raw, token);
    return reason === undefined ? next() : problem(403, 'not_let_in', reason);
  });
  app.all('/t/:team/*', ({ req }) => {
    const { pathname, search } = new URL(req.url);
    return pass(req.raw, pathname.replace(/^\/t\/[^/]*/, '') + search, req.param('team'));
  });
  app.all('*', ({ req }) => {
    const { pathname, search } = new URL(req.url);
    return pass(req.raw, pathname + search);
  });
  app.onError((error) => {
    const { message, cause } = error as Error & { readonly cause?: Error };
    const reason = cause?.message ? `${message}: ${cause.message}` : message;
    return problem(502, 'upstream_unreachable', `${new URL(upstream).host}: ${reason}`);
  });
  return { fetch: async (request) => app.fetch(request) };
}

/** A request as it goes on. */
function outgoing(request: Request, url: string): Parameters<typeof fetch> {
  const headers = new Headers(request.headers);
  for (const name of [...OF_CONNECTION, 'accept-encoding', 'x-teamfuse-token'])
    headers.delete(name);
  const { method, body, signal } = request;
  const init = { method, headers, signal, redirect: 'manual' } as const;
  return [url, body === null ? init : ({ ...init, body, duplex: 'half' } as RequestInit)];
}

/** An answer as it goes back. */
function answerOf(response: Response, added: Readonly<Record<string, string>> = {}): Response {
  const headers = new Headers(response.headers);
  for (const name of [...OF_CONNECTION, ...OF_ENCODING]) headers.delete(name);
  for (const [name, value] of Object.entries(added)) headers.set(name, value);
  const { body, status, statusText } = response;
  return new Response(body, { status, statusText, headers });
}

function problem(status: number, code: string, message: string): Response {
  return Response.json({ error: { message, type: 'teamfuse_gateway', code } }, { status });
}
