/** What streams items and ends with a result. `AsyncIterable` has a type for the result only since TypeScript 5.6. */
export interface StreamWithResult<T, R> {
  [Symbol.asyncIterator](): AsyncIterator<T, R>;
}
