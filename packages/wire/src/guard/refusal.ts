import type { Trip } from '@teamfuse/core';
import type { StreamEvent, WireFormat, WireRequest } from '../formats/format.ts';

/** How calls are refused. */
export interface RefusalForm {
  readonly refusal: 'error' | 'answer';
  readonly stopWord: string;
}

const REFUSED = 402;
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
    return Response.json(format.error({ model, text }), { status: REFUSED, headers: HEADERS });
  }
  const text = [`Stopped: ${reason}.`, stopWord].filter(Boolean).join('\n\n');
  if (!isStreamed) return Response.json(format.answer({ model, text }), { headers: HEADERS });
  const events = format.answerEvents({ model, text }).map(eventText).join('');
  return new Response(events, {
    headers: { ...HEADERS, 'content-type': 'text/event-stream; charset=utf-8' },
  });
}

/** The reason of a trip as a refusal quotes it. */
export function reasonOf({ reason }: Trip): string {
  return reason.replace(/\.$/, '');
}

function eventText({ event, data }: StreamEvent): string {
  const name = event === undefined ? '' : `event: ${event}\n`;
  return `${name}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
}
