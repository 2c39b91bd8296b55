import { CancelledError } from '../base/errors.ts';

/**
 * Does some work, but waits for it no longer than until the signal is aborted.
 *
 * @throws {@link CancelledError} as soon as the signal is aborted; what the work makes of it is left unheard.
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
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work(), aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
