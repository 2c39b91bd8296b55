import type { MaybePromise } from '@teamfuse/core';

/** Whether an answer comes later. Promises of other realms count. */
export function isPromise<T>(value: MaybePromise<T>): value is Promise<T> {
  try {
    return typeof Object(value).then === 'function';
  } catch {
    return false;
  }
}

/** Continues with an answer: at once if it is there. */
export function after<T, U>(value: MaybePromise<T>, next: (value: T) => U): MaybePromise<U> {
  return isPromise(value) ? Promise.resolve(value).then(next) : next(value);
}
