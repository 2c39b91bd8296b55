import type { Breaker, Conversation } from '@teamfuse/core';
import { internalsOf } from '@teamfuse/core/kit';
import { type Fields, fieldsOf } from '../fields.ts';
import type { WireFormat } from '../formats/format.ts';
import { withField } from '../json-field.ts';
import { copyOf } from './copy-of.ts';
import { answersIn } from './request-size.ts';

/** Where requests say what a model may call. */
const TOOLS: readonly string[] = ['tools', 'functions', 'mcp_servers', 'web_search_options'];
const HEADER = 'x-teamfuse-last-answer';

/**
 * How many tokens the answer to a request may have that writes up what is there after a stop; `undefined` for any other request.
 * `isTold` says whether its caller knows of the stop.
 */
export function lastAnswerTokens(
  breaker: Breaker,
  { state }: Conversation,
  body: Fields,
  isTold: boolean,
): number | undefined {
  const { wrapUp } = internalsOf(breaker);
  if (wrapUp === undefined || !isTold || state.status === 'closed') return undefined;
  // Once the circuit has cooled down, the next call is to be its probe.
  const isProbeDue = state.status === 'open' && breaker.now() >= state.probeFrom;
  const isOver = state.trip.hasLastAnswer || state.trip.kind === 'manual' || isProbeDue;
  return isOver || mayCall(body) || answersIn(body) > 1 ? undefined : wrapUp.maxTokens;
}

/** The text of a request whose answer has at most so many tokens. */
export function withBound(
  { limitAt }: WireFormat,
  body: Fields,
  text: string,
  tokens: number,
): string {
  return withField(text, limitAt(body), String(tokens));
}

/** The answer with a header that says it is the last one after a stop. */
export function marked(response: Response): Response {
  const { ok, body } = response;
  if (!ok || body === null) return response;
  const copy = copyOf(response, body);
  copy.headers.set(HEADER, 'true');
  return copy;
}

/** Whether the model may call anything. */
function mayCall(body: Fields): boolean {
  const { tool_choice, function_call } = body;
  const isForbidden = [tool_choice, fieldsOf(tool_choice).type, function_call].includes('none');
  return !isForbidden && TOOLS.some((name) => isGiven(body[name]));
}

function isGiven(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null;
}
