import type { MaybePromise } from './json.ts';

/** Goes on with `value` at once if it is there, or when it comes. @internal */
export function andThen<T, U>(
  value: MaybePromise<T>,
  next: (value: T) => MaybePromise<U>,
): MaybePromise<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}
