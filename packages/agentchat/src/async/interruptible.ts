import { untilAborted } from './until-aborted.ts';

/**
 * Runs a generator until the signal is aborted, even if what it waits for never looks at the signal.
 *
 * @throws {@link CancelledError} as soon as the signal is aborted; what still runs is left to end unheard.
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
    // Not waited for: a run that hangs must not hang its reader.
    run.return(undefined as TResult).catch(() => undefined);
  }
}
