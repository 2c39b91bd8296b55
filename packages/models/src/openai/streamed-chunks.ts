import { eventData } from '../calls/server-events.ts';
import { throwIfError } from './openai-connection.ts';
import { badResponse } from './wire-fields.ts';

const EVENT_STREAM = 'text/event-stream';
const MEDIA_TYPE = /^[\w.+-]{1,64}\/[\w.+-]{1,64}/;

/**
 * The chunks of a streamed answer.
 *
 * The library reads an event anew with each piece that comes of it, which blocks the process for a long one.
 */
export async function* chunksOf({ body, headers }: Response): AsyncGenerator<unknown> {
  if (body === null) throw badResponse('the stream has no body');
  let isDone = false;
  let hasBegun = false;
  for await (const data of eventData(body)) {
    hasBegun = true;
    isDone ||= data.startsWith('[DONE]');
    if (isDone) continue;
    const chunk: unknown = JSON.parse(data);
    throwIfError(chunk, headers);
    yield chunk;
  }
  const [type = 'nothing'] = MEDIA_TYPE.exec(headers.get('content-type') ?? '') ?? [];
  if (hasBegun || type === EVENT_STREAM) return;
  throw badResponse(`content-type: expected ${EVENT_STREAM}, received ${type}`);
}
