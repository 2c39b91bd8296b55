/**
 * Passes a stream on and runs everything it does inside a scope.
 *
 * A generator runs in the async context of whoever asks for its next item, so each request is made inside the scope.
 * `wait` may end the wait for an item: the stream is left alone then.
 */
export async function* inScope<T, R>(
  within: <U>(work: () => U) => U,
  open: () => AsyncIterable<T, R>,
  wait: <U>(item: Promise<U>) => Promise<U> = (item) => item,
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
      yield next.value;
    }
  } catch (error) {
    isOver = true;
    throw error;
  } finally {
    if (!isOver) await within(() => iterator.return?.());
  }
}
