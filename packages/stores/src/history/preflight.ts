import { InvalidOptionError } from '@teamfuse/core';
import { isPromise, type MaybePromise, type Timers } from '@teamfuse/core/kit';
import { checkNames, integer, type OptionNames, orInvalid, show } from '@teamfuse/core/options';
import { MACHINE_TIMERS, within } from '@teamfuse/core/sharing';
import { type HistoryStore, HistoryStoreError } from './history-store.ts';
import { parseRunRecord } from './parse-run-record.ts';
import { RepeatedFailureError } from './repeated-failure.ts';
import type { RunRecord } from './run-record.ts';

/** Options of {@link preflight}. */
export interface PreflightOptions {
  /** The name of the task, of 1 to 1,000 characters. */
  readonly task: string;
  /**
   * How many runs in a row must end in the same failure before the next one is refused.
   * @defaultValue 3
   */
  readonly lastRuns?: number;
  /**
   * Milliseconds within which the store must answer.
   * @defaultValue 10_000
   */
  readonly timeoutMs?: number;
  /**
   * The timers for `timeoutMs`.
   * @defaultValue `setTimeout` and `clearTimeout`
   */
  readonly timers?: Timers;
}

const NAMES: OptionNames<PreflightOptions> = {
  task: true,
  lastRuns: true,
  timeoutMs: true,
  timers: true,
};
const MAX_TASK_LENGTH = 1000;
const MAX_RUNS = 100;
const TIMEOUT_MS = 10_000;

export type CheckedPreflight = Required<PreflightOptions>;

/** @throws {@link InvalidOptionError} */
export function checkPreflight(options: PreflightOptions): CheckedPreflight {
  checkNames('', options, NAMES);
  const { task, lastRuns = 3, timeoutMs = TIMEOUT_MS, timers = MACHINE_TIMERS } = options;
  if (typeof task !== 'string' || task === '' || task.length > MAX_TASK_LENGTH) {
    throw new InvalidOptionError('task', `a name of 1 to ${MAX_TASK_LENGTH} characters`, task);
  }
  return {
    task,
    lastRuns: integer('lastRuns', lastRuns, 1, MAX_RUNS),
    timeoutMs: integer('timeoutMs', timeoutMs, 1, 2 ** 31 - 1),
    timers,
  };
}

/** @throws {@link InvalidOptionError} naming a method that the store lacks. */
export function checkStore(
  store: HistoryStore,
  members: readonly (keyof HistoryStore)[],
): HistoryStore {
  for (const member of members) {
    const expected = `an object with a method ${member}`;
    const isThere = orInvalid('store', expected, store, () => typeof store[member] === 'function');
    if (!isThere) throw new InvalidOptionError('store', expected, store);
  }
  return store;
}

/**
 * Refuses a task whose latest runs all ended in the same failure, before anything is spent. A run that succeeded, failed
 * differently or was stopped by hand ends the series.
 *
 * @throws {@link InvalidOptionError} if the store or an option is invalid.
 * @throws {@link RepeatedFailureError} naming the failure, how often it occurred, and how to clear it.
 * @throws {@link HistoryStoreError} if the store fails, returns invalid data or does not answer.
 * @example
 * ```ts
 * const store = new MemoryHistoryStore();
 * await preflight(store, { task: 'nightly report' }); // => undefined
 * ```
 */
export async function preflight(store: HistoryStore, options: PreflightOptions): Promise<void> {
  checkStore(store, ['latest']);
  const checked = checkPreflight(options);
  const { task, lastRuns } = checked;
  const answer = await ask('latest', () => store.latest(task, MAX_RUNS), checked);
  const row = sameFailures(readRuns(answer, task));
  const [last] = row;
  if (last?.failure === undefined || row.length < lastRuns) return;
  const since = (row.at(-1) as RunRecord).at;
  throw new RepeatedFailureError({
    task,
    failure: last.failure,
    times: row.length,
    since,
    last: last.at,
  });
}

/** The series of latest runs with the same failure, the newest first. */
function sameFailures(runs: readonly RunRecord[]): readonly RunRecord[] {
  const fingerprint = runs[0]?.failure?.fingerprint;
  if (fingerprint === undefined) return [];
  const other = runs.findIndex(({ failure }) => failure?.fingerprint !== fingerprint);
  return other < 0 ? runs : runs.slice(0, other);
}

/** Asks a history store, with a timeout. @throws {@link HistoryStoreError} */
export async function ask<T>(
  member: keyof HistoryStore,
  call: () => MaybePromise<T>,
  { timeoutMs, timers }: CheckedPreflight,
): Promise<T> {
  try {
    const answer = call();
    if (!isPromise(answer)) return answer;
    return await within(Promise.resolve(answer), timeoutMs, timers, () => {
      throw new HistoryStoreError(member, `did not answer within ${timeoutMs} ms`);
    });
  } catch (error) {
    if (error instanceof HistoryStoreError) throw error;
    const cause = error instanceof Error ? error.message : show(error);
    throw new HistoryStoreError(member, `failed: ${cause}`, { cause: error });
  }
}

function readRuns(answer: unknown, task: string): readonly RunRecord[] {
  try {
    if (!Array.isArray(answer)) throw new Error(`expected an array, received ${show(answer)}`);
    return answer
      .slice(0, MAX_RUNS)
      .map((run, i) => parseRunRecord(`runs[${i}]`, run))
      .filter((run) => run.task === task);
  } catch (error) {
    const problem = error instanceof Error ? error.message : show(error);
    throw new HistoryStoreError('latest', `returned invalid data: ${problem}`, { cause: error });
  }
}
