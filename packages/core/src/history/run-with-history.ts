import type { Breaker } from '../breaker/breaker.ts';
import { RepeatedFailureError } from '../errors.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import type { Cost, Trip } from '../trip.ts';
import type { HistoryStore } from './history-store.ts';
import { ask, checkPreflight, type PreflightOptions, preflight } from './preflight.ts';
import { failureOfError, failureOfTrip } from './run-failure.ts';
import type { RunRecord } from './run-record.ts';

/** Options of {@link runWithHistory}. */
export interface HistoryOptions extends PreflightOptions {
  /** Where outcomes are kept. */
  readonly store: HistoryStore;
}

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
  { store, ...options }: HistoryOptions,
  work: () => MaybePromise<T>,
): Promise<T> {
  const checked = checkPreflight(options);
  try {
    await preflight(store, options);
  } catch (error) {
    if (error instanceof RepeatedFailureError) throw error;
    breaker.reportError(error, 'history');
  }
  const before = breaker.cost;
  const open = new Map<string, Trip>();
  if (breaker.trip !== undefined) open.set('', breaker.trip);
  const close = breaker.on('state', ({ conversation, to }) => {
    if (to.status === 'closed') open.delete(conversation);
    else open.set(conversation, to.trip);
  });
  const keep = async (outcome: Pick<RunRecord, 'outcome' | 'failure'>): Promise<void> => {
    close();
    const cost = difference(breaker.cost, before);
    const record = { task: checked.task, at: breaker.now(), ...outcome, cost };
    try {
      await ask('append', () => store.append(record), checked);
    } catch (error) {
      breaker.reportError(error, 'history');
    }
  };
  try {
    const result = await work();
    await keep(outcomeOf(open));
    return result;
  } catch (error) {
    const tripped = outcomeOf(open);
    await keep(
      tripped.outcome === 'completed'
        ? { outcome: 'failed', failure: failureOfError(error) }
        : tripped,
    );
    throw error;
  }
}

/** A circuit that is still open at the end has ended the run. */
function outcomeOf(open: ReadonlyMap<string, Trip>): Pick<RunRecord, 'outcome' | 'failure'> {
  const trips = [...open.values()];
  const failed = trips.find(({ kind }) => kind !== 'manual');
  if (failed !== undefined) return { outcome: 'failed', failure: failureOfTrip(failed) };
  return { outcome: trips.length > 0 ? 'stopped' : 'completed' };
}

function difference(after: Cost, before: Cost): Cost {
  return {
    nanoUsd: after.nanoUsd - before.nanoUsd,
    tokens: after.tokens - before.tokens,
    unpricedTokens: after.unpricedTokens - before.unpricedTokens,
    isEstimate: after.isEstimate,
  };
}
