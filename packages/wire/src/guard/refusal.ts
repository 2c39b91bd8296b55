import type { Conversation, Trip } from '@teamfuse/core';
import type { StreamEvent, WireFormat, WireRequest } from '../formats/format.ts';
import { CIRCUIT_OPEN } from '../trip-of.ts';
import type { CallerMistake } from './caller-mistake.ts';

/** Why a call is refused. */
export interface Why {
  readonly reason: string;
  /** Of the trip, if that is why. */
  readonly kind?: Trip['kind'];
  /** Milliseconds after which it may be tried again, if waiting helps. */
  readonly retryInMs?: number | undefined;
}

/** How calls are refused. */
export interface RefusalForm {
  readonly refusal: 'error' | 'answer';
  readonly stopWord: string;
}

const REFUSED = 402;
const MISTAKE = 400;
const TRIPPED = { type: CIRCUIT_OPEN, code: 'TRIPPED', status: REFUSED };
const WRONG = { type: 'invalid_request_error', code: 'INVALID_REQUEST', status: MISTAKE };
const HEADERS = { 'x-should-retry': 'false', 'x-teamfuse-refused': 'true' };
const MS_PER_SECOND = 1_000;

/** What a caller gets instead of an answer. */
export function refuse(
  format: WireFormat,
  { model, isStreamed, isList }: Pick<WireRequest, 'model' | 'isStreamed' | 'isList'>,
  { reason, kind, retryInMs }: Why,
  { refusal, stopWord }: RefusalForm,
): Response {
  const retryAfter =
    retryInMs === undefined ? undefined : `${Math.max(1, Math.ceil(retryInMs / MS_PER_SECOND))}`;
  const headers = {
    ...HEADERS,
    ...(kind && { 'x-teamfuse-kind': kind }),
    ...(retryAfter && { 'retry-after': retryAfter }),
  };
  if (refusal === 'error') {
    const text = `The call was refused: ${reason}.`;
    const error = format.error({ text, ...TRIPPED, kind, retryAfter });
    return Response.json(error, { status: REFUSED, headers });
  }
  const text = [`Stopped: ${reason}.`, stopWord].filter(Boolean).join('\n\n');
  if (!isStreamed) return Response.json(format.answer({ model, text }), { headers });
  const parts = format.answerEvents({ model, text });
  if (isList)
    return Response.json(
      parts.map(({ data }) => data),
      { headers },
    );
  const events = parts.map(eventText).join('');
  return new Response(events, {
    headers: { ...headers, 'content-type': 'text/event-stream; charset=utf-8' },
  });
}

/** The end of a stream that is cut off: its last event, or the last entry of a list. */
export function cutOffEvent(format: WireFormat, { reason, kind }: Trip, isList: boolean): string {
  const text = `The answer was cut off: ${reason}.`;
  const problem = { text, ...TRIPPED, kind };
  if (isList) return `,${JSON.stringify(format.error(problem))}]`;
  return eventText(format.errorEvent(problem));
}

/** What a caller gets whose request is wrong. */
export function refuseMistake(format: WireFormat, { message }: CallerMistake): Response {
  const text = `The call was not made: ${message}.`;
  const error = format.error({ text, ...WRONG });
  return Response.json(error, { status: MISTAKE, headers: { 'x-should-retry': 'false' } });
}

/** What a refusal says of a trip. */
export function whyOf(trip: Trip, conversation: Conversation): Why {
  const { kind, reason } = trip;
  return { kind, reason: reason.replace(/\.$/, ''), retryInMs: conversation.retryInMs(trip) };
}

function eventText({ event, data }: StreamEvent): string {
  const name = event === undefined ? '' : `event: ${event}\n`;
  return `${name}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
}
