import { isPromise, type MaybePromise } from '../../maybe-promise.ts';

/** Work that yields the promises it waits for. */
export type Waits<T> = Generator<Promise<unknown>, T, unknown>;

/** Waits for `value` if it is a promise. */
export function* arrived<T>(value: MaybePromise<T>): Waits<T> {
  return isPromise(value) ? ((yield value) as T) : value;
}

/** Does the work synchronously until it waits. An error is always a rejected promise. */
export function doing<T>(work: Waits<T>): MaybePromise<T> {
  try {
    const { done, value } = work.next();
    return done ? value : goOn(work, value);
  } catch (error) {
    return Promise.reject(error);
  }
}

async function goOn<T>(work: Waits<T>, first: Promise<unknown>): Promise<T> {
  let awaited = first;
  for (;;) {
    const { done, value } = await Promise.resolve(awaited).then(
      (answer) => work.next(answer),
      (error: unknown) => work.throw(error),
    );
    if (done) return value;
    awaited = value;
  }
}
