import { MACHINE_TIMERS, type Timers, within } from '../deadline.ts';
import { HistoryStoreError, InvalidOptionError, RepeatedFailureError, show } from '../errors.ts';
import { asking, isPromise, type MaybePromise } from '../maybe-promise.ts';
import { checkNames, integer, type OptionNames, reading } from '../options.ts';
import type { HistoryStore } from './history-store.ts';
import { parseRunRecord } from './parse-run-record.ts';
import type { RunRecord } from './run-record.ts';

/** Options of {@link preflight}. */
export interface PreflightOptions {
  /** The name by which runs of the same task know each other, of 1 to 1,000 characters. */
  readonly task: string;
  /**
   * So many runs in a row have to end in the same failure for the next one to be refused.
   * @defaultValue 3
   */
  readonly lastRuns?: number;
  /**
   * Milliseconds within which the store has to answer.
   * @defaultValue 10_000
   */
  readonly timeoutMs?: number;
  /**
   * The timers by which an answer is given up.
   * @defaultValue those of the machine
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

/** The options with their defaults. @internal */
export type CheckedPreflight = Required<PreflightOptions>;

/** @throws {@link InvalidOptionError} @internal */
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

/** @throws {@link InvalidOptionError} naming a method that the store lacks. @internal */
export function checkStore(
  store: HistoryStore,
  members: readonly (keyof HistoryStore)[],
): HistoryStore {
  for (const member of members) {
    const expected = `an object with a method ${member}`;
    const isThere = reading('store', expected, store, () => typeof store[member] === 'function');
    if (!isThere) throw new InvalidOptionError('store', expected, store);
  }
  return store;
}

/**
 * Refuses a task whose latest runs all ended in the same failure, before anything is paid for. A run that succeeded, failed
 * otherwise or was stopped by hand ends the row.
 *
 * @throws {@link InvalidOptionError} if the store or an option is none, as with the store among the options.
 * @throws {@link RepeatedFailureError} saying what failed, when, how often, and how to clear it.
 * @throws {@link HistoryStoreError} if the store fails, answers nonsense or does not answer.
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

/** The latest runs that ended in the same failure, the newest first. */
function sameFailures(runs: readonly RunRecord[]): readonly RunRecord[] {
  const fingerprint = runs[0]?.failure?.fingerprint;
  if (fingerprint === undefined) return [];
  const other = runs.findIndex(({ failure }) => failure?.fingerprint !== fingerprint);
  return other < 0 ? runs : runs.slice(0, other);
}

/** What a history store answers, in time. @throws {@link HistoryStoreError} @internal */
export async function ask<T>(
  member: keyof HistoryStore,
  call: () => MaybePromise<T>,
  { timeoutMs, timers }: CheckedPreflight,
): Promise<T> {
  try {
    const answer = asking(call);
    if (!isPromise(answer)) return answer;
    return await within(Promise.resolve(answer), timeoutMs, timers, () => {
      throw new HistoryStoreError(member, `gave no answer within ${timeoutMs} ms`);
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
    throw new HistoryStoreError('latest', `answered wrongly: ${problem}`, { cause: error });
  }
}
