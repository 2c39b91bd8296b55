/** A value or a promise of it, so that state can be shared between processes. */
export type MaybePromise<T> = T | Promise<T>;

/** Whether `value` is a promise, also of another realm, as in sandboxes. */
export function isPromise<T>(value: MaybePromise<T>): value is Promise<T> {
  return typeof (value as { readonly then?: unknown } | null | undefined)?.then === 'function';
}

/** Whether `value` is a promise itself, of any realm or class: any other thenable may only begin its work when it is awaited. */
export function isRealPromise(value: unknown): value is Promise<unknown> {
  if (typeof value !== 'object' || value === null) return false;
  return value instanceof Promise || Object.prototype.toString.call(value) === '[object Promise]';
}

/** Calls `next` with `value`, synchronously unless it is a promise, or `failed` if the promise rejects. */
export function andThen<T, U>(
  value: MaybePromise<T>,
  next: (value: T) => MaybePromise<U>,
  failed?: (error: unknown) => MaybePromise<U>,
): MaybePromise<U> {
  return isPromise(value) ? Promise.resolve(value).then(next, failed) : next(value);
}

/** Calls `ask`, and returns what it throws as a rejected promise. */
export function orRejection<T>(ask: () => MaybePromise<T>): MaybePromise<T> {
  try {
    return ask();
  } catch (error) {
    return Promise.reject(error);
  }
}

/** Lets work go on that nobody waits for. `failed` hears of its error. */
export function inBackground(work: MaybePromise<unknown>, failed: (error: unknown) => void): void {
  if (isPromise(work)) Promise.resolve(work).then(undefined, failed);
}

/** Calls a listener of the user's. `failed` gets what it throws or rejects with; without it, that is dropped. */
export function tell<T>(
  listener: (value: T) => unknown,
  value: T,
  failed: (error: unknown) => void = ignore,
): void {
  try {
    inBackground(listener(value) as MaybePromise<unknown>, failed);
  } catch (error) {
    failed(error);
  }
}

/** The answer of a user's function that must be synchronous. @throws TypeError for a promise, whose own error is dropped */
export function atOnce<T>(name: string, answer: T): T {
  if (!isPromise(answer)) return answer;
  inBackground(answer, ignore);
  throw new TypeError(`${name}: expected an answer at once, received a promise`);
}

function ignore(): void {}
