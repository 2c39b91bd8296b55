import { type Trip, TrippedError } from '@teamfuse/core';
import { onAbort, whenDropped } from '@teamfuse/core/kit';
import { fieldsOf } from '../fields.ts';
import type { Piece, WireFormat } from '../formats/format.ts';
import { copyOf } from './copy-of.ts';
import { errorIn } from './error-in.ts';
import type { Exchange } from './exchange.ts';
import { ListReader } from './list-reader.ts';
import { readWhole } from './read-whole.ts';
import { cutOffEvent } from './refusal.ts';
import { StreamReader } from './stream-reader.ts';

/** Reads an answer that comes as a whole. One that is too long, or breaks off, is passed on as it comes. */
export async function watchWhole(
  response: Response,
  format: WireFormat,
  exchange: Exchange,
): Promise<Response> {
  if (response.body === null) {
    exchange.brokeOff();
    return response;
  }
  const read = await readWhole(response.body);
  try {
    if (!('bytes' in read)) throw read.error;
    const body = fieldsOf(JSON.parse(new TextDecoder().decode(read.bytes)));
    exchange.answered(format.readAnswer(body), errorIn(body));
  } catch {
    exchange.brokeOff();
  }
  return copyOf(response, 'bytes' in read ? read.bytes : read.stream);
}

/** How a stream is passed on. */
interface StreamOptions {
  /** Whether events that hold nothing but usage are kept back. */
  readonly hidesUsage: boolean;
  /** Ends the stream, as its caller has left. */
  readonly signal: AbortSignal | undefined;
  /** Whether the error that ends it is its last event. */
  readonly isSentOn?: boolean | undefined;
  /** Whether it is a list in JSON instead of events. */
  readonly isList: boolean;
}

/**
 * Passes a stream on as it comes, and reads it on the way: the guard knows the answer before the caller sees its end.
 */
export function watchStream(
  response: Response,
  format: WireFormat,
  exchange: Exchange,
  { hidesUsage, signal, isSentOn = false, isList }: StreamOptions,
): Response {
  const { body } = response;
  if (body === null) {
    exchange.brokeOff();
    return response;
  }
  const source = body.getReader();
  let trip: Trip | undefined;
  const usage = (): unknown => reader.answer.usage;
  const onPiece = (piece: Piece): boolean => {
    trip ??= exchange.streamed(piece, usage);
    return trip !== undefined;
  };
  const reader = isList
    ? new ListReader(format, { onPiece })
    : new StreamReader(format, { hidesUsage, onPiece });
  let unlisten = (): void => {};
  let unsubscribe = (): void => {};
  const ended = (): void => {
    unlisten();
    unsubscribe();
    try {
      exchange.answered(reader.answer, reader.error);
    } catch {
      exchange.brokeOff();
    }
  };
  const left = (reason: unknown): void => {
    ended();
    source.cancel(reason).catch(() => {});
  };
  const cutOff = (controller: ReadableStreamDefaultController, why: Trip): void => {
    const error = new TrippedError(why);
    left(error);
    if (!isSentOn) {
      controller.error(error);
      return;
    }
    controller.enqueue(new TextEncoder().encode(cutOffEvent(format, why, isList)));
    controller.close();
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
      else unlisten = onAbort(signal, abort);
    },
    async pull(controller) {
      try {
        for (;;) {
          const { done, value } = await source.read();
          const bytes = done ? reader.end() : reader.take(value);
          if (bytes.length > 0) controller.enqueue(bytes);
          if (trip !== undefined) {
            cutOff(controller, trip);
            return;
          }
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
  unsubscribe = whenDropped(passed, () => left(undefined));
  return copyOf(response, passed);
}
