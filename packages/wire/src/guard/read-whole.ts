import type { Bytes } from './bytes.ts';
/** What a body may hold to be read. No API for models takes or gives as much; more is passed on unread. */
export const MAX_BODY_BYTES: number = 64 * 2 ** 20;

/** A body that was read. */
export type ReadBody =
  | { readonly bytes: Bytes }
  /** One that is too long, or broke off with an `error`: all that came of it and will come. */
  | { readonly stream: ReadableStream<Bytes>; readonly error?: unknown };

/** Reads a body to its end, or until it is longer than `max` bytes. */
export async function readWhole(
  body: ReadableStream<Bytes>,
  max: number = MAX_BODY_BYTES,
): Promise<ReadBody> {
  const reader = body.getReader();
  const chunks: Bytes[] = [];
  let length = 0;
  try {
    while (length <= max) {
      const { done, value } = await reader.read();
      if (done) return { bytes: joined(chunks, length) };
      chunks.push(value);
      length += value.length;
    }
  } catch (error) {
    return { stream: again(chunks, reader), error };
  }
  return { stream: again(chunks, reader) };
}

function joined(chunks: readonly Bytes[], length: number): Bytes {
  const [first] = chunks;
  if (first !== undefined && chunks.length === 1) return first;
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** What was read, and after it the rest or the error that comes. */
function again(chunks: Bytes[], reader: ReadableStreamDefaultReader<Bytes>): ReadableStream<Bytes> {
  return new ReadableStream({
    async pull(controller) {
      const chunk = chunks.shift() ?? (await reader.read()).value;
      if (chunk === undefined) controller.close();
      else controller.enqueue(chunk);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
