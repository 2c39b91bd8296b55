/** How a stream is passed on. */
export interface StreamHandlers<T> {
  /** May end the wait for an item: the stream is left alone then. */
  readonly wait?: <U>(item: Promise<U>) => Promise<U>;
  /** Receives each item inside the scope, before the reader does. */
  readonly heard?: ((item: T) => void) | undefined;
}

/**
 * Passes a stream on and runs everything it does inside a scope.
 *
 * A generator runs in the async context of whoever asks for its next item, so each request is made inside the scope.
 */
export async function* inScope<T, R>(
  within: <U>(work: () => U) => U,
  open: () => AsyncIterable<T, R>,
  { wait = (item) => item, heard }: StreamHandlers<T> = {},
): AsyncGenerator<T, R> {
  const iterator = within(() => open()[Symbol.asyncIterator]());
  let isOver = false;
  try {
    for (;;) {
      const next = await wait(within(() => iterator.next()));
      if (next.done === true) {
        isOver = true;
        return next.value;
      }
      if (heard !== undefined) within(() => heard(next.value));
      yield next.value;
    }
  } catch (error) {
    isOver = true;
    throw error;
  } finally {
    if (!isOver) await within(() => iterator.return?.());
  }
}
