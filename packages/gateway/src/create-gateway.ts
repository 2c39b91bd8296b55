import type { Breaker, Conversation } from '@teamfuse/core';
import { atOnce, tell } from '@teamfuse/core/kit';
import {
  checkBreaker,
  checkOptions,
  guardedRequest,
  type Traffic,
  TrafficGuard,
} from '@teamfuse/wire/guard';
import { Hono } from 'hono';
import { strangerness } from './admit-caller.ts';
import { callerKey, sentTwice } from './caller-key.ts';
import { CallersJudge } from './callers-judge.ts';
import { checkGatewayOptions, type Gateway, type GatewayOptions } from './gateway-options.ts';
import { leadBack, outgoing, upstreamFetch } from './pass-on.ts';
import { Scopes } from './scope.ts';

const NANO_USD_PER_USD = 1e9;

/**
 * A gateway: programs send it what they would send to `upstream`, and get what that answers, until their breaker refuses. It is
 * a handler of fetch requests, for any server that takes one.
 *
 * @throws {@link InvalidOptionError} naming the option, the expected and the received value.
 */
export function createGateway(options: GatewayOptions): Gateway {
  const { upstream, token, breakerOf, breaker: _, ...more } = checkGatewayOptions(options);
  const { keys = [], judgeKey, salt, onUnreachable, ...rest } = more;
  const checked = checkOptions(rest);
  if (typeof options.breaker !== 'function') checkBreaker(options.breaker);
  const guards = new WeakMap<Breaker, TrafficGuard>();
  const suspicions = new WeakMap<Conversation, number>();
  const scopes = new Scopes(salt);
  const send = upstreamFetch(checked.fetch);
  const judge = new CallersJudge({ send, key: judgeKey });

  const guardOf = (breaker: Breaker): TrafficGuard => {
    const known = guards.get(breaker);
    if (known !== undefined) return known;
    breaker.on('signal', ({ conversation, suspicion }) => {
      suspicions.set(breaker.conversation(conversation), suspicion);
    });
    judge.lendTo(breaker);
    const guard = new TrafficGuard(breaker, checked);
    guards.set(breaker, guard);
    return guard;
  };

  const pass = async (request: Request, path: string, ofPath?: string): Promise<Response> => {
    const twice = sentTwice(request.headers);
    if (twice !== undefined) return problem(400, 'two_keys', `the header ${twice} came twice`);
    const key = callerKey(request.headers, keys);
    const named = ofPath ?? (request.headers.get('x-teamfuse-team') || undefined);
    const team = key?.team ?? named;
    if (named !== undefined && named !== team) {
      return problem(403, 'other_team', `the key belongs to another team than '${named}'`);
    }
    const breaker = atOnce('breaker', breakerOf(team));
    if (breaker === undefined) return problem(404, 'unknown_team', `there is no team '${team}'`);
    const scope = scopes.of(request.headers);
    let conversation: Conversation | undefined;
    const joined = (one: Conversation): void => {
      conversation = one;
    };
    const sent = await outgoing(request, `${upstream}${path}`, checked.bounds.maxBytes);
    const [url, { headers } = {}] = sent;
    const asking = { url: String(url), headers: new Headers(headers) };
    const reporting: Traffic['reporting'] = (report, { model }) =>
      judge.within({ ...asking, model }, report);
    const about = { scope, key: key?.name, team, joined, reporting };
    const response = await guardedRequest(guardOf(breaker), send, sent, about);
    const told = Object.entries(conversation === undefined ? {} : headersOf(conversation));
    for (const [name, value] of told) response.headers.set(name, value);
    leadBack(
      response.headers,
      upstream,
      ofPath === undefined ? '' : `/t/${encodeURIComponent(ofPath)}`,
    );
    return response;
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
  app.onError((error, { req }) => {
    const { message, cause } = error as Error & { readonly cause?: Error };
    const reason = cause?.message ? `${message}: ${cause.message}` : message;
    const text = `${new URL(upstream).host}: ${reason}`;
    // A caller that leaves ends its request, which says nothing about the upstream.
    if (onUnreachable && !req.raw.signal.aborted) tell(onUnreachable, text);
    return problem(502, 'upstream_unreachable', text);
  });
  return { fetch: async (request) => app.fetch(request) };
}

function problem(status: number, code: string, message: string): Response {
  return Response.json({ error: { message, type: 'teamfuse_gateway', code } }, { status });
}
