import { BreakerError } from '@teamfuse/core';
import type { MaybePromise } from '@teamfuse/core/kit';
import type { RunRecord } from './run-record.ts';

/** Keeps the outcomes of runs between processes. Any method may return a promise. */
export interface HistoryStore {
  /** Stores a record as the latest of its task. A store may drop the oldest records. */
  append(record: RunRecord): MaybePromise<void>;
  /** The latest `count` records of a task, the newest first. */
  latest(task: string, count: number): MaybePromise<readonly RunRecord[]>;
  /** Deletes all records of a task. */
  clear(task: string): MaybePromise<void>;
}

/** A history store did not answer as it should. */
export class HistoryStoreError extends BreakerError {
  override readonly name = 'HistoryStoreError';
  /** What the store was asked for. */
  readonly member: keyof HistoryStore;

  constructor(member: keyof HistoryStore, problem: string, options?: ErrorOptions) {
    super('HISTORY_STORE', `history store: ${member} ${problem}`, options);
    this.member = member;
  }
}
