import { ModelClientError } from '../errors.ts';
import { breaths } from './breaths.ts';

/** Far more than is shown of an error. */
const MAX_ERROR_BYTES = 1_048_576;

/** A `fetch` whose responses break off with `BAD_RESPONSE` after `maxBytes`, counted unpacked; errors after a megabyte. */
export function boundedFetch(maxBytes: number): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (response.body === null) return response;
    const { status, statusText, headers } = response;
    const most = response.ok ? maxBytes : Math.min(maxBytes, MAX_ERROR_BYTES);
    return new Response(bounded(response.body, most), { status, statusText, headers });
  };
}

/** Reads ahead of its reader, since a connection that breaks takes along what was not read. The error comes after all the rest. */
function bounded(body: ReadableStream<Uint8Array>, maxBytes: number): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const ahead: Uint8Array[] = [];
  let isOver = false;
  let arrived = (): void => {};
  const reading = readAll(reader, maxBytes, (chunk) => {
    ahead.push(chunk);
    arrived();
  });
  const over = (): void => {
    isOver = true;
    arrived();
  };
  reading.then(over, over);
  // Without a queue of its own, which an error would empty.
  const strategy = { highWaterMark: 0 };
  const cancel = (reason: unknown): Promise<void> => reader.cancel(reason);
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    while (ahead.length === 0 && !isOver) {
      await new Promise<void>((resolve) => {
        arrived = resolve;
      });
    }
    if (ahead.length === 0) {
      await reading;
      controller.close();
    }
    for (const chunk of ahead.splice(0)) controller.enqueue(chunk);
  };
  return new ReadableStream({ pull, cancel }, strategy);
}

async function readAll(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  maxBytes: number,
  take: (chunk: Uint8Array) => void,
): Promise<void> {
  const pause = breaths();
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    bytes += value.length;
    if (bytes > maxBytes) {
      reader.cancel().catch(() => {});
      throw tooLarge(maxBytes);
    }
    take(value);
    await pause();
  }
}

function tooLarge(maxBytes: number): ModelClientError {
  return new ModelClientError(
    'BAD_RESPONSE',
    `the model server's answer is too large: more than ${maxBytes} bytes`,
  );
}
