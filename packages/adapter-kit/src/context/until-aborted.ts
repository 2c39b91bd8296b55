/** Waits for `work`, but no longer than until the signal aborts; rejects with the signal's reason then. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    const heard = (): void => signal.removeEventListener('abort', abort);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(
      (value) => {
        heard();
        resolve(value);
      },
      (error) => {
        heard();
        reject(error);
      },
    );
  });
}
