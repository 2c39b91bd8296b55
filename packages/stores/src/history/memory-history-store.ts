import type { HistoryStore } from './history-store.ts';
import type { RunRecord } from './run-record.ts';

const MAX_RUNS = 1000;

/** Keeps the latest 1,000 records in memory, for tests and single processes. */
export class MemoryHistoryStore implements HistoryStore {
  #runs: RunRecord[] = [];

  append(record: RunRecord): void {
    this.#runs = [...this.#runs, record].slice(-MAX_RUNS);
  }

  latest(task: string, count: number): readonly RunRecord[] {
    return this.#runs
      .filter((run) => run.task === task)
      .slice(-count)
      .reverse();
  }

  clear(task: string): void {
    this.#runs = this.#runs.filter((run) => run.task !== task);
  }
}
