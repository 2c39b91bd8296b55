import type { MaybePromise } from '../maybe-promise.ts';
import type { RunRecord } from './run-record.ts';

/** Where the outcomes of runs are kept between processes. Any member may answer with a promise. */
export interface HistoryStore {
  /** Keeps a record as the latest of its task. A store may forget the oldest ones to stay bounded. */
  append(record: RunRecord): MaybePromise<void>;
  /** The latest records of a task, the newest first, at most `count`. */
  latest(task: string, count: number): MaybePromise<readonly RunRecord[]>;
  /** Forgets all records of a task. */
  clear(task: string): MaybePromise<void>;
}
