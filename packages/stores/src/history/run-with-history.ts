import type { Breaker, Trip } from '@teamfuse/core';
import type { MaybePromise } from '@teamfuse/core/kit';
import { functionOf } from '@teamfuse/core/options';
import { type HistoryOptions, RunHistory } from './run-history.ts';

/**
 * Runs a task and records how it ends. The task is refused if its latest runs all ended in the same failure. The breaker emits
 * errors of the store; they prevent no run.
 *
 * @param work one whole run, guarded by the breaker.
 * @throws {@link RepeatedFailureError} before `work` is called.
 * @throws {@link InvalidOptionError} naming the option, the expected and the received value.
 * @example
 * ```ts
 * const breaker = new Breaker();
 * const history = { store: new MemoryHistoryStore(), task: 'nightly report' };
 * await runWithHistory(breaker, history, async () => 'done'); // => 'done'
 * ```
 */
export async function runWithHistory<T>(
  breaker: Breaker,
  options: HistoryOptions,
  work: () => MaybePromise<T>,
): Promise<T> {
  functionOf('work', work);
  const keep = await new RunHistory(breaker, options).begin();
  const open = new Map<string, Trip>();
  for (const { id, trip } of breaker.stopped) if (trip !== undefined) open.set(id, trip);
  const close = breaker.on('state', ({ conversation, to }) => {
    if (to.status === 'closed') open.delete(conversation);
    else open.set(conversation, to.trip);
  });
  try {
    const result = await work();
    close();
    await keep({ trip: tripOf(open) });
    return result;
  } catch (error) {
    close();
    await keep({ trip: tripOf(open), error });
    throw error;
  }
}

/** A circuit that is open at the end has ended the run; a manual stop comes last. */
function tripOf(open: ReadonlyMap<string, Trip>): Trip | undefined {
  const trips = [...open.values()];
  return trips.find(({ kind }) => kind !== 'manual') ?? trips[0];
}
