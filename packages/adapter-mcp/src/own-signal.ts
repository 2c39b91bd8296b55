/** Runs work with a signal of its own, which aborts when another does: a client never takes its listeners off the one it is given. */
export async function withOwnSignal<T>(
  signal: AbortSignal,
  work: (own: AbortSignal) => Promise<T>,
): Promise<T> {
  const own = new AbortController();
  const abort = (): void => own.abort(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await work(own.signal);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
