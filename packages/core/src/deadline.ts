/** Sets and clears timers. */
export interface Timers {
  /** Calls `ring` after `ms` milliseconds. Returns the argument of `clear`. */
  readonly set: (ring: () => void, ms: number) => unknown;
  /** Cancels a timer. */
  readonly clear: (timer: unknown) => void;
}

/** Waits for `pending`, or rejects with what `late` throws after `ms` milliseconds. @internal */
export function within<T>(
  pending: Promise<T>,
  ms: number,
  { set, clear }: Timers,
  late: () => never,
): Promise<T> {
  let timer: unknown;
  const deadline = new Promise<never>((_, reject) => {
    timer = set(() => {
      try {
        late();
      } catch (error) {
        reject(error);
      }
    }, ms);
  });
  return Promise.race([pending, deadline]).finally(() => clear(timer));
}

/** Waits for `work`, or rejects with the reason of `signal` when it aborts. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    const quit = (): void => signal.removeEventListener('abort', abort);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject);
    work.then(quit, quit);
  });
}
