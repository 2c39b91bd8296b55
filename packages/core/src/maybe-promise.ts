/** A value that may be there at once or come later, so that state can be shared between processes. */
export type MaybePromise<T> = T | Promise<T>;

/** Whether `value` comes later. Promises of other realms count: test runners and sandboxes bring their own. @internal */
export function isPromise(value: unknown): value is Promise<unknown> {
  return typeof (value as { readonly then?: unknown } | null | undefined)?.then === 'function';
}

/** Goes on with `value` at once if it is there, or when it comes; with `failed` if it never does. @internal */
export function andThen<T, U>(
  value: MaybePromise<T>,
  next: (value: T) => MaybePromise<U>,
  failed?: (error: unknown) => U,
): MaybePromise<U> {
  return isPromise(value) ? Promise.resolve(value).then(next, failed) : next(value as T);
}

/** What `ask` gives. What it throws comes as a promise that fails, so that there is one way to fail. @internal */
export function asking<T>(ask: () => MaybePromise<T>): MaybePromise<T> {
  try {
    return ask();
  } catch (error) {
    return Promise.reject(error);
  }
}
