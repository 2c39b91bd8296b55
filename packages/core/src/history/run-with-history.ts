import type { Breaker } from '../breaker/breaker.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import type { Trip } from '../trip.ts';
import { type HistoryOptions, RunHistory } from './run-history.ts';

/**
 * Runs a task that is refused once its latest runs all ended in the same failure, and keeps how this one ends.
 *
 * A store that fails is emitted as `error` by the breaker, and keeps nobody from running.
 *
 * @param work one whole run, guarded by the breaker.
 * @throws {@link RepeatedFailureError} before `work` is called.
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
  const keep = await new RunHistory(breaker, options).begin();
  const open = new Map<string, Trip>();
  if (breaker.trip !== undefined) open.set('', breaker.trip);
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

/** A circuit that is still open at the end has ended the run; one that was not stopped by hand comes first. */
function tripOf(open: ReadonlyMap<string, Trip>): Trip | undefined {
  const trips = [...open.values()];
  return trips.find(({ kind }) => kind !== 'manual') ?? trips[0];
}
