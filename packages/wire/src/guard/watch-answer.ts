import { onAbort, whenDropped } from '@teamfuse/core/kit';
import { fieldsOf } from '../fields.ts';
import type { WireFormat } from '../formats/format.ts';
import type { Bytes } from './bytes.ts';
import type { ModelExchange } from './model-exchange.ts';
import { readWhole } from './read-whole.ts';
import { StreamReader } from './stream-reader.ts';

/** Reads an answer that comes as a whole. One that is too long, or breaks off, is passed on as it comes. */
export async function watchWhole(
  response: Response,
  format: WireFormat,
  exchange: ModelExchange,
): Promise<Response> {
  if (response.body === null) {
    exchange.left();
    return response;
  }
  const read = await readWhole(response.body);
  try {
    if (!('bytes' in read)) throw read.error;
    const body = JSON.parse(new TextDecoder().decode(read.bytes));
    exchange.answered(format.readAnswer(fieldsOf(body)));
  } catch {
    exchange.left();
  }
  return copyOf(response, 'bytes' in read ? read.bytes : read.stream);
}

/** How a stream is passed on. */
interface StreamOptions {
  /** Whether events that hold nothing but usage are kept back. */
  readonly hidesUsage: boolean;
  /** Ends the stream, as its caller has left. */
  readonly signal: AbortSignal | undefined;
}

/**
 * Passes a stream on as it comes, and reads it on the way: the guard knows the answer before the caller sees its end.
 */
export function watchStream(
  response: Response,
  format: WireFormat,
  exchange: ModelExchange,
  { hidesUsage, signal }: StreamOptions,
): Response {
  const { body } = response;
  if (body === null) {
    exchange.left();
    return response;
  }
  const source = body.getReader();
  const reader = new StreamReader(format, hidesUsage);
  let unheard = (): void => {};
  let kept = (): void => {};
  const ended = (): void => {
    unheard();
    kept();
    try {
      exchange.answered(reader.answer);
    } catch {
      exchange.left();
    }
  };
  const left = (reason: unknown): void => {
    ended();
    source.cancel(reason).catch(() => {});
  };
  const passed = new ReadableStream<Uint8Array>({
    start(controller) {
      if (signal === undefined) return;
      // A signal may outlive the stream, and is not to keep it.
      const passing = new WeakRef(controller);
      const abort = (): void => {
        left(signal.reason);
        passing.deref()?.error(signal.reason);
      };
      // Whoever aborts a stream may never ask for another piece.
      if (signal.aborted) abort();
      else unheard = onAbort(signal, abort);
    },
    async pull(controller) {
      try {
        for (;;) {
          const { done, value } = await source.read();
          const bytes = done ? reader.end() : reader.take(value);
          if (bytes.length > 0) controller.enqueue(bytes);
          if (done) {
            ended();
            controller.close();
          }
          if (done || bytes.length > 0) return;
        }
      } catch (error) {
        ended();
        controller.error(error);
      }
    },
    async cancel(reason) {
      ended();
      await source.cancel(reason);
    },
  });
  kept = whenDropped(passed, () => left(undefined));
  return copyOf(response, passed);
}

/** A response with a body that takes the place of its own. */
function copyOf(
  { status, statusText, headers, url }: Response,
  body: Bytes | ReadableStream,
): Response {
  const copy = new Response(body, { status, statusText, headers });
  Object.defineProperty(copy, 'url', { value: url });
  return copy;
}
