/** Sets and clears timers. */
export interface Timers {
  /** Calls `ring` after `ms` milliseconds. Returns the argument of `clear`. */
  readonly set: (ring: () => void, ms: number) => unknown;
  /** Cancels a timer. */
  readonly clear: (timer: unknown) => void;
}

/** Waits for `pending`, or rejects with what `late` throws after `ms` milliseconds. */
export function withTimeout<T>(
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

/** What to call when a signal aborts. */
const waiting: WeakMap<AbortSignal, Set<() => void>> = new WeakMap();

/**
 * Calls `aborted` when a signal aborts. Returns the function that ends that. However many wait, the signal has one listener:
 * runtimes warn of more than ten.
 */
export function onAbort(signal: AbortSignal, aborted: () => void): () => void {
  let calls = waiting.get(signal);
  if (calls === undefined) {
    calls = new Set();
    waiting.set(signal, calls);
    signal.addEventListener('abort', allAborted);
  }
  const all = calls;
  const call = (): void => aborted();
  all.add(call);
  return () => {
    if (!all.delete(call) || all.size > 0 || waiting.get(signal) !== all) return;
    forget(signal);
  };
}

function allAborted({ target }: Event): void {
  const signal = target as AbortSignal;
  const calls = waiting.get(signal) ?? [];
  forget(signal);
  for (const call of calls) call();
}

function forget(signal: AbortSignal): void {
  waiting.delete(signal);
  signal.removeEventListener('abort', allAborted);
}

/** Waits for `work`, or rejects with the reason of `signal` when it aborts. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    const unsubscribe = onAbort(signal, abort);
    work.then(resolve, reject);
    work.then(unsubscribe, unsubscribe);
  });
}
