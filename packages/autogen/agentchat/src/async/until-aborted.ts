import { setMaxListeners } from 'node:events';
import { CancelledError } from '../base/errors.ts';

/**
 * Waits for work to end or for the signal to be aborted.
 *
 * @throws {@link CancelledError} as soon as the signal is aborted; a later result or error of the work is ignored.
 */
export async function untilAborted<T>(
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  if (signal === undefined) return work();
  if (signal.aborted) throw new CancelledError({ cause: signal.reason });
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(new CancelledError({ cause: signal.reason }));
  });
  // Any number of tools may run side by side, and each listens.
  setMaxListeners(0, signal);
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work(), aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
