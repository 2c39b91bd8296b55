import type { Breaker } from '@teamfuse/core';
import { internalsOf } from '@teamfuse/core/kit';
import { checkBreaker, checkOptions } from './guard/check-options.ts';
import type { GuardFetchOptions } from './guard/guard-fetch-options.ts';
import { guardedRequest } from './guard/guarded-request.ts';
import { TrafficGuard } from './guard/traffic-guard.ts';

const NO_JUDGE =
  'Teamfuse: judge: true asks nobody behind guardFetch(): give the breaker a judge of its own, such as modelJudge(client) of @teamfuse/judge.';

/**
 * A `fetch` that guards the requests of an SDK to its models: OpenAI Chat Completions and Responses, Anthropic Messages, and
 * Gemini, whole and streamed. It reads what a conversation says and does from the histories that are sent, and refuses the next
 * call once the breaker has stopped it. Other requests pass; of those that cost money, `onError` is told once for each kind.
 *
 * @throws {@link InvalidOptionError} naming the option, the expected and the received value.
 * @example
 * ```ts
 * const client = new OpenAI({ apiKey: 'sk-…', fetch: guardFetch(breaker) });
 * ```
 */
export function guardFetch(breaker: Breaker, options: GuardFetchOptions = {}): typeof fetch {
  checkBreaker(breaker);
  const checked = checkOptions(options);
  const guard = new TrafficGuard(breaker, checked);
  if (asksNobody(breaker)) console.warn(NO_JUDGE);
  return (...request) => guardedRequest(guard, checked.fetch, request);
}

/** Whether a model of the team is to be asked, and no guard has lent one. */
function asksNobody(breaker: Breaker): boolean {
  const { choice = false, current } = internalsOf(breaker).judges;
  return choice !== false && current === undefined;
}
