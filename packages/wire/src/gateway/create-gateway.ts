import type { Breaker, Conversation } from '@teamfuse/core';
import { atOnce, tell } from '@teamfuse/core/kit';
import {
  checkBreaker,
  checkOptions,
  guardedRequest,
  type Traffic,
  TrafficGuard,
} from '../guard/index.ts';
import { strangerness } from './admit-caller.ts';
import { callerKey, keyHeaderOf, sentTwice, withKeyOfQuery } from './caller-key.ts';
import { CallersJudge } from './callers-judge.ts';
import { checkGatewayOptions, type Gateway, type GatewayOptions } from './gateway-options.ts';
import { addressAt, leadBack, outgoing, upstreamFetch } from './pass-on.ts';
import { Scopes } from './scope.ts';

const NANO_USD_PER_USD = 1e9;
/** `/t/<team>` before a path. */
const TEAM_PATH = /^\/t\/([^/]+)(?=\/|$)/;

/**
 * A gateway: programs send it what they would send to `upstream`, and get what that answers, until their breaker refuses. It is
 * a handler of fetch requests, for any server that takes one.
 *
 * @throws {@link InvalidOptionError} naming the option, the expected and the received value.
 */
export function createGateway(options: GatewayOptions): Gateway {
  const { upstream, token, breakerOf, breaker: _, ...more } = checkGatewayOptions(options);
  const { keys = [], judgeKey, salt, onMistake, onUnreachable, ...rest } = more;
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

  const reportMistake = (mistake: string): void => {
    if (onMistake) tell(onMistake, mistake);
  };
  const refused = (status: number, code: string, mistake: string): Response => {
    reportMistake(mistake);
    return problem(status, code, mistake);
  };

  const pass = async (request: Request, path: string, ofPath?: string): Promise<Response> => {
    const identified = withKeyOfQuery(request.headers, path);
    const twice = sentTwice(identified);
    if (twice !== undefined) return refused(400, 'two_keys', `the header ${twice} came twice`);
    const address = addressAt(upstream, path);
    const key = callerKey(identified, keys, keyHeaderOf(address));
    const named = ofPath ?? (request.headers.get('x-teamfuse-team') || undefined);
    const team = key?.team ?? named;
    if (named !== undefined && named !== team) {
      return refused(403, 'other_team', `the key belongs to another team than '${named}'`);
    }
    const breaker = atOnce('breaker', breakerOf(team));
    if (breaker === undefined) return refused(404, 'unknown_team', `there is no team '${team}'`);
    const scope = scopes.of(identified);
    let conversation: Conversation | undefined;
    const onConversation = (one: Conversation): void => {
      conversation = one;
    };
    const sent = await outgoing(request, address, checked.bounds.maxBytes);
    const [url, { headers } = {}] = sent;
    const reportWithin: Traffic['reportWithin'] = (report, { model, project }) =>
      judge.within({ url: String(url), headers, model, project }, report);
    const about = {
      scope,
      key: key?.name,
      team,
      isSentOn: true,
      onConversation,
      onMistake: reportMistake,
      reportWithin,
    };
    const response = await guardedRequest(guardOf(breaker), send, sent, about);
    const described = Object.entries(conversation === undefined ? {} : headersOf(conversation));
    for (const [name, value] of described) response.headers.set(name, value);
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

  const answer = async (request: Request): Promise<Response> => {
    const reason = strangerness(request, token);
    if (reason !== undefined) return refused(403, 'not_let_in', reason);
    const { pathname, search } = new URL(request.url);
    const [prefix = '', team] = TEAM_PATH.exec(pathname) ?? [];
    return pass(request, pathname.slice(prefix.length) + search, team && decoded(team));
  };

  const unreachable = (request: Request, error: unknown): Response => {
    const { message, cause } = error as Error & { readonly cause?: Error };
    const text = `${new URL(upstream).host}: ${cause?.message ? `${message}: ${cause.message}` : message}`;
    // A caller that leaves ends its request, which says nothing about the upstream.
    if (onUnreachable && !request.signal.aborted) tell(onUnreachable, text);
    return problem(502, 'upstream_unreachable', text);
  };

  return {
    fetch: async (request) => {
      try {
        return await answer(request);
      } catch (error) {
        return unreachable(request, error);
      }
    },
  };
}

/** A name with its escapes resolved, or as it came where they are none. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function problem(status: number, code: string, message: string): Response {
  return Response.json({ error: { message, type: 'teamfuse_gateway', code } }, { status });
}
