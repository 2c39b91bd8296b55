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

/**
 * Passes a stream on as it comes, and reads it on the way: the guard knows the answer before the caller sees its end. With
 * `hidesUsage`, events that hold nothing but usage are kept back.
 */
export function watchStream(
  response: Response,
  format: WireFormat,
  exchange: ModelExchange,
  hidesUsage: boolean,
): Response {
  const { body } = response;
  if (body === null) {
    exchange.left();
    return response;
  }
  const source = body.getReader();
  const reader = new StreamReader(format, hidesUsage);
  const ended = (): void => {
    try {
      exchange.answered(reader.answer);
    } catch {
      exchange.left();
    }
  };
  const passed = new ReadableStream<Uint8Array>({
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
