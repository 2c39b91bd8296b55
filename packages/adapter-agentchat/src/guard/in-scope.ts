/**
 * Passes a stream on and lets everything it does happen in a scope.
 *
 * A generator runs in the context of whoever asks for its next item, so each request is made inside the scope.
 */
export async function* inScope<T, R>(
  within: <U>(work: () => U) => U,
  open: () => AsyncIterable<T, R>,
): AsyncGenerator<T, R> {
  const iterator = within(() => open()[Symbol.asyncIterator]());
  let isOver = false;
  try {
    for (;;) {
      const step = await within(() => iterator.next());
      if (step.done === true) {
        isOver = true;
        return step.value;
      }
      yield step.value;
    }
  } catch (error) {
    isOver = true;
    throw error;
  } finally {
    if (!isOver) await within(() => iterator.return?.());
  }
}
