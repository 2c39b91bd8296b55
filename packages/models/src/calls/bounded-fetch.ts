import { ModelClientError } from '../errors.ts';
import { breaths } from './breaths.ts';

/** Far more than is shown of an error. */
const MAX_ERROR_BYTES = 1_048_576;

/** @internal A `fetch` whose responses break off with `BAD_RESPONSE` after `maxBytes`, counted unpacked; errors after a megabyte. */
export function boundedFetch(maxBytes: number): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (response.body === null) return response;
    const { status, statusText, headers } = response;
    const most = response.ok ? maxBytes : Math.min(maxBytes, MAX_ERROR_BYTES);
    return new Response(bounded(response.body, most), { status, statusText, headers });
  };
}

/** Reads when it is read from. */
function bounded(body: ReadableStream<Uint8Array>, maxBytes: number): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const pause = breaths();
  let bytes = 0;
  return new ReadableStream({
    async pull(controller) {
      await pause();
      const { done, value } = await reader.read();
      if (done) return controller.close();
      bytes += value.length;
      if (bytes > maxBytes) {
        reader.cancel().catch(() => {});
        throw tooLarge(maxBytes);
      }
      controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

function tooLarge(maxBytes: number): ModelClientError {
  return new ModelClientError(
    'BAD_RESPONSE',
    `the model server's answer is too large: more than ${maxBytes} bytes`,
  );
}
