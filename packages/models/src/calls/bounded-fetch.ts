import { ModelClientError } from '../errors.ts';

/** @internal A `fetch` whose responses break off with `BAD_RESPONSE` after `maxBytes`, counted unpacked. */
export function boundedFetch(maxBytes: number): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (response.body === null) return response;
    const { status, statusText, headers } = response;
    const body = response.body.pipeThrough(counter(maxBytes));
    return new Response(body, { status, statusText, headers });
  };
}

function counter(maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw tooLarge(maxBytes);
      controller.enqueue(chunk);
    },
  });
}

function tooLarge(maxBytes: number): ModelClientError {
  return new ModelClientError(
    'BAD_RESPONSE',
    `the model server's answer is too large: more than ${maxBytes} bytes`,
  );
}
