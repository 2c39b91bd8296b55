import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { getRequestListener } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Gateway } from '@teamfuse/wire/gateway';

/** Answers requests through a gateway. `told` hears of answers that the upstream cut off, which end there for the caller, too. */
export function listenerOf(
  gateway: Gateway,
  told: (problem: string) => void,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return getRequestListener(async (request, { outgoing }) => {
    const response = await gateway.fetch(request);
    await send(response, outgoing as ServerResponse, told);
    return RESPONSE_ALREADY_SENT;
  });
}

async function send(
  { status, headers, body }: Response,
  outgoing: ServerResponse,
  told: (problem: string) => void,
): Promise<void> {
  outgoing.statusCode = status;
  outgoing.setHeaders(headers);
  if (body === null) {
    outgoing.end();
    return;
  }
  outgoing.flushHeaders();
  try {
    await pipeline(Readable.fromWeb(body as ReadableStream), outgoing);
  } catch (error) {
    const { code, message, cause } = error as NodeJS.ErrnoException & { readonly cause?: Error };
    // A caller that leaves is no problem.
    if (code === 'ERR_STREAM_PREMATURE_CLOSE') return;
    told(`the answer broke off: ${cause?.message ? `${message}: ${cause.message}` : message}`);
  }
}
