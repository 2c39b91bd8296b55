import { fieldsOf } from '../fields.ts';
import type { WireFormat } from '../formats/format.ts';
import type { ModelExchange } from './model-exchange.ts';
import { StreamReader } from './stream-reader.ts';

/** Reads an answer that comes as a whole. The caller gets the response as it is. */
export async function watchWhole(
  response: Response,
  format: WireFormat,
  exchange: ModelExchange,
): Promise<Response> {
  try {
    exchange.answered(format.readAnswer(fieldsOf(await response.clone().json())));
  } catch {
    exchange.left();
  }
  return response;
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
  const { body, status, statusText, headers, url } = response;
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
  const copy = new Response(passed, { status, statusText, headers });
  Object.defineProperty(copy, 'url', { value: url });
  return copy;
}
