import type { AgentEnd } from '@teamfuse/adapter-kit';

/** A stream of a run, and what to do with its end. */
export interface StreamEnds {
  /** Whether a stream whose run has failed ends with what it has. */
  failed(): boolean;
  /** The reader leaves: what is cut off has not failed. */
  left(): void;
  /** The stream is over, with this last item. Comes once. */
  over(last: unknown, end: AgentEnd): unknown;
}

interface Source {
  pull(controller: ReadableStreamDefaultController): Promise<void>;
  cancel(): Promise<void>;
}

type StreamClass = new (source: Source) => ReadableStream;

/** The stream of a run, of the class that LangChain reads, item by item. */
export function guardedStream(stream: ReadableStream, ends: StreamEnds): ReadableStream {
  const items = itemsOf(stream as unknown as AsyncIterable<unknown>, ends);
  return new (classOf(stream))({
    async pull(controller) {
      const { done, value } = await items.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      ends.left();
      await items.return(undefined);
    },
  });
}

async function* itemsOf(
  stream: AsyncIterable<unknown>,
  ends: StreamEnds,
): AsyncGenerator<unknown, void> {
  let last: unknown;
  let end: AgentEnd = { isLeft: true };
  try {
    for await (const item of stream) {
      last = item;
      yield item;
    }
    end = {};
  } catch (error) {
    end = { error };
    if (!ends.failed()) throw error;
  } finally {
    await ends.over(last, end);
  }
}

/** The class of LangChain's streams that takes a source. */
function classOf(stream: ReadableStream): StreamClass {
  let own = stream.constructor;
  for (let at = own; at !== ReadableStream && at !== Function.prototype; ) {
    own = at;
    at = Object.getPrototypeOf(at);
  }
  return own as StreamClass;
}
