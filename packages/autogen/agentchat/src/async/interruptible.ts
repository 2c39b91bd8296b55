import { untilAborted } from './until-aborted.ts';

/**
 * Runs a generator until the signal is aborted, even if the generator ignores the signal.
 *
 * @throws {@link CancelledError} as soon as the signal is aborted; the generator ends in the background.
 */
export async function* interruptible<TItem, TResult>(
  run: AsyncGenerator<TItem, TResult>,
  signal: AbortSignal | undefined,
): AsyncGenerator<TItem, TResult> {
  try {
    for (;;) {
      const step = await untilAborted(signal, () => run.next());
      if (step.done === true) return step.value;
      yield step.value;
    }
  } finally {
    // Not awaited, because a generator that hangs must not block its reader.
    run.return(undefined as TResult).catch(() => undefined);
  }
}
