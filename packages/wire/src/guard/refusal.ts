import type { Trip } from '@teamfuse/core';
import type { StreamEvent, WireFormat, WireRequest } from '../formats/format.ts';
import type { CallerMistake } from './caller-mistake.ts';

/** How calls are refused. */
export interface RefusalForm {
  readonly refusal: 'error' | 'answer';
  readonly stopWord: string;
}

const REFUSED = 402;
const MISTAKE = 400;
const HEADERS = { 'x-should-retry': 'false', 'x-teamfuse-refused': 'true' };

/** What a caller gets instead of an answer. */
export function refuse(
  format: WireFormat,
  { model, isStreamed }: Pick<WireRequest, 'model' | 'isStreamed'>,
  reason: string,
  { refusal, stopWord }: RefusalForm,
): Response {
  if (refusal === 'error') {
    const text = `The call was refused: ${reason}.`;
    const error = format.error({ text, type: 'circuit_open', code: 'TRIPPED' });
    return Response.json(error, { status: REFUSED, headers: HEADERS });
  }
  const text = [`Stopped: ${reason}.`, stopWord].filter(Boolean).join('\n\n');
  if (!isStreamed) return Response.json(format.answer({ model, text }), { headers: HEADERS });
  const events = format.answerEvents({ model, text }).map(eventText).join('');
  return new Response(events, {
    headers: { ...HEADERS, 'content-type': 'text/event-stream; charset=utf-8' },
  });
}

/** What a caller gets whose request is wrong. */
export function refuseMistake(format: WireFormat, { message }: CallerMistake): Response {
  const text = `The call was not made: ${message}.`;
  const error = format.error({ text, type: 'invalid_request_error', code: 'INVALID_REQUEST' });
  return Response.json(error, { status: MISTAKE, headers: { 'x-should-retry': 'false' } });
}

/** The reason of a trip as a refusal quotes it. */
export function reasonOf({ reason }: Trip): string {
  return reason.replace(/\.$/, '');
}

function eventText({ event, data }: StreamEvent): string {
  const name = event === undefined ? '' : `event: ${event}\n`;
  return `${name}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
}
